/* test-ghc-show.c -- texts around events, events of no capability, and those of writers that
 * counted otherwise.  The words of each event are in tests/ghc-cases/. */
#include "config.h"

#include "decoder/views/ghc/ghc-show.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

/* Fails unless this is shown of the log. */
static void
check (const GByteArray *log, const char *expected)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  GString *shown = g_string_new (NULL);
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    if (item->type == GHC_ITEM_HEADER)
      ghc_show_begin (item->header, GHC_SHOW_0_22, shown);
    else if (item->type == GHC_ITEM_EVENT)
      ghc_show_event (item, GHC_SHOW_0_22, shown);
    else
      assert_int_equal (item->type, GHC_ITEM_END);
  ghc_show_end (shown);
  assert_string_equal (shown->str, expected);
  g_string_free (shown, TRUE);
  ghc_reader_free (reader);
}

TEST (test_whole)
{
  GByteArray *log = g_byte_array_new ();
  ghc_put_header_begin (log);
  ghc_put_type (log, 18, 14, "Block marker");
  ghc_put_type (log, 17, 2, "Create capabilities");
  ghc_put_type (log, 9, 0, "Starting GC");
  ghc_put_type (log, 700, 0xffff, "Something \xc3\xa9 \xff new");
  ghc_put_header_end (log);
  ghc_put_event (log, 17, G_MAXUINT64);
  ghc_put (log, 2, 2);
  ghc_put_block (log, 24, 5, 6, 65535);
  ghc_put_block (log, 34, 7, 8, 65534);
  ghc_put_event (log, 9, 8);
  ghc_put_block (log, 39, 9, 10, 0xffff);
  ghc_put_event (log, 700, 10);
  ghc_put (log, 3, 2);
  ghc_put (log, 0x616263, 3);
  ghc_put (log, GHC_DATA_END, 2);
  check (log, "Event Types:\n"
              "18: Block marker (size 14)\n"
              "17: Create capabilities (size 2)\n"
              "9: Starting GC (size 0)\n"
              "700: Something \xc3\xa9 \xef\xbf\xbd new (size variable)\n"
              "\n"
              "Events:\n"
              "18446744073709551615: startup: 2 capabilities\n"
              "5: event block: cap 65535, end time: 6\n\n"
              "7: cap 65534: event block: cap 65534, end time: 8\n\n"
              "8: cap 65534: starting GC\n"
              "9: event block: cap 65535, end time: 10\n\n"
              "10: Something \xc3\xa9 \xef\xbf\xbd new\n"
              "\n");
  g_byte_array_unref (log);
}

/* GHC 7.8.2, which knows markers, but not that it is to be distinguished from others. */
TEST (test_7_8_2)
{
  static const struct {
    guint status;
    const char *shown;
  } cases[] = { { 0, "No stop thread status" },   { 1, "heap overflow" },
                { 2, "stack overflow, size 77" }, { 3, "thread yielding" },
                { 4, "thread blocked" },          { 5, "thread finished" },
                { 6, "making a foreign call" },   { 7, "blocked on an MVar" },
                { 8, "blocked reading an MVar" }, { 9, "blocked on black hole owned by thread 77" },
                { 10, "blocked on I/O read" },    { 11, "blocked on I/O write" },
                { 12, "blocked on threadDelay" }, { 13, "blocked in STM retry" },
                { 14, "blocked on asyncDoProc" }, { 17, "blocked in throwTo" },
                { 18, "thread migrating" },       { 99, "status 99" } };
  GByteArray *log = g_byte_array_new ();
  GString *expected
      = g_string_new ("Event Types:\n2: Stop (size 10)\n58: Marker (size variable)\n\n"
                      "Events:\n");
  ghc_put_header_begin (log);
  ghc_put_type (log, 2, 10, "Stop");
  ghc_put_type (log, 58, 0xffff, "Marker");
  ghc_put_header_end (log);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    ghc_put_event (log, 2, 100 + i);
    ghc_put (log, 3, 4);
    ghc_put (log, cases[i].status, 2);
    ghc_put (log, 77, 4);
    g_string_append_printf (expected, "%u: stopping thread 3 (%s)\n", (guint) (100 + i),
                            cases[i].shown);
  }
  ghc_put (log, GHC_DATA_END, 2);
  g_string_append_c (expected, '\n');
  check (log, expected->str);
  g_string_free (expected, TRUE);
  g_byte_array_unref (log);
}

/* The longest payload there is, of the bytes that become longest. */
TEST (test_long)
{
  GByteArray *log = g_byte_array_new ();
  GString *expected
      = g_string_new ("Event Types:\n30: Args (size variable)\n\nEvents:\n9: capset 1: args: [\"");
  const guint length = GHC_PAYLOAD_MAX - 4;
  ghc_put_header_begin (log);
  ghc_put_type (log, 30, 0xffff, "Args");
  ghc_put_header_end (log);
  ghc_put_event (log, 30, 9);
  ghc_put (log, GHC_PAYLOAD_MAX, 2);
  ghc_put (log, 1, 4);
  for (guint i = 0; i < length; i++) {
    ghc_put (log, i % 2 == 0 ? 0xff : '5', 1);
    g_string_append (expected, i % 2 == 1 ? "5" : i == length - 1 ? "\\65533" : "\\65533\\&");
  }
  ghc_put (log, GHC_DATA_END, 2);
  g_string_append (expected, "\"]\n\n");
  check (log, expected->str);
  g_string_free (expected, TRUE);
  g_byte_array_unref (log);
}
