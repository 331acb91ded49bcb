/* test-ghc-merge.c -- what becomes of events of several logs: of different writers, and of numbers
 * that there is no room for. */
#include "decoder/analyses/ghc-merge.h"
#include "tests/unit/ghc-items.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Reads a log and calls `take` with each of its items. */
typedef void (*take_item) (struct ghc_merge *m, size_t nth, const struct ghc_item *item,
                           void *data);

static void
read_log (struct ghc_merge *m, size_t nth, const GByteArray *log, take_item take, void *data)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_reader_push (reader, log->data, log->len);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    take (m, nth, item, data);
  }
  ghc_reader_free (reader);
}

static void
survey (struct ghc_merge *m, size_t nth, const struct ghc_item *item, void *data)
{
  (void) data;
  ghc_merge_survey (m, nth, item);
}

static void
write_event (struct ghc_merge *m, size_t nth, const struct ghc_item *item, void *data)
{
  struct ghc_writer *writer = data;
  if (item->type != GHC_ITEM_EVENT)
    return;
  const struct ghc_event event = ghc_merge_event (m, nth, item);
  assert_true (ghc_writer_event (writer, &event, NULL));
}

static gboolean
plan (struct ghc_merge *m, GByteArray **logs, guint n, GError **error)
{
  ghc_merge_init (m, n);
  for (guint i = 0; i < n; i++)
    read_log (m, i, logs[i], survey, NULL);
  return ghc_merge_plan (m, error);
}

/* All logs, one behind the other, have these events; "CAP KIND FIELDS", markers left out. */
static void
expect (GByteArray **logs, guint n, ...)
{
  struct ghc_merge m;
  assert_true (plan (&m, logs, n, NULL));
  struct ghc_writer *writer = ghc_writer_new ();
  assert_true (
      ghc_writer_header (writer, (const struct ghc_event_type *) (const void *) m.types.types->data,
                         m.types.types->len, NULL));
  for (guint i = 0; i < n; i++)
    read_log (&m, i, logs[i], write_event, writer);
  ghc_writer_end (writer, false);
  size_t length;
  const uint8_t *bytes = ghc_writer_take (writer, &length);
  struct ghc_items *items = ghc_items_read (bytes, length, 0, 0);
  va_list args;
  va_start (args, n);
  for (guint i = 0; i < items->items->len; i++) {
    const struct ghc_noted *item = &ghc_items_nth (items, i);
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    if (item->type != GHC_ITEM_EVENT || g_str_has_prefix (item->event, "block-marker"))
      continue;
    const char *expected = va_arg (args, const char *);
    assert_non_null (expected);
    assert_string_equal (strchr (item->line, ' ') + 1, expected);
  }
  assert_null (va_arg (args, const char *));
  va_end (args);
  ghc_items_free (items);
  ghc_writer_free (writer);
  ghc_merge_clear (&m);
  for (guint i = 0; i < n; i++)
    g_byte_array_unref (logs[i]);
}

/* A log whose header declares block markers and these tags with these sizes, up to a tag of -1. */
static GByteArray *
new_log (int tag, ...)
{
  GByteArray *log = g_byte_array_new ();
  va_list args;
  va_start (args, tag);
  ghc_put_header_begin (log);
  ghc_put_type (log, 18, 14, "Block marker");
  for (; tag >= 0; tag = va_arg (args, int))
    ghc_put_type (log, (guint) tag, va_arg (args, guint), "some event");
  ghc_put_header_end (log);
  va_end (args);
  return log;
}

/* A block on a capability with one event of so many bytes behind its time; they follow. */
static void
put (GByteArray *log, guint cap, guint tag, guint bytes)
{
  ghc_put_block (log, 24 + 10 + bytes, 100, 200, cap);
  ghc_put_event (log, tag, 150);
}

/* Statistics of a collection with 50 bytes, of GHC before 8.4, and with 58. */
static void
test_longer_form (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (53, 50, -1), new_log (53, 58, -1) };
  for (guint i = 0; i < 2; i++) {
    put (logs[i], 0, 53, i == 0 ? 50 : 58);
    ghc_put (logs[i], 0, 4);
    ghc_put (logs[i], 1, 2);
    for (guint64 k = 10; k < 13; k++)
      ghc_put (logs[i], k, 8);
    ghc_put (logs[i], 2, 4);
    ghc_put (logs[i], 13, 8);
    ghc_put (logs[i], 14, 8);
  }
  ghc_put (logs[1], 15, 8);
  expect (logs, 2,
          "cap=0 time=150 gc-stats-ghc heap_capset=0 generation=1 copied=10 slop=11 "
          "fragmentation=12 par_n_threads=2 par_max_copied=13 par_tot_copied=14 "
          "par_balanced_copied=0",
          "cap=1 time=150 gc-stats-ghc heap_capset=1 generation=1 copied=10 slop=11 "
          "fragmentation=12 par_n_threads=2 par_max_copied=13 par_tot_copied=14 "
          "par_balanced_copied=15",
          NULL);
}

/* The size of blocks was told as its logarithm before 9.10. */
static void
test_census (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (207, 14, -1), new_log (207, 13, -1) };
  put (logs[0], 0, 207, 14);
  ghc_put (logs[0], 24, 2);
  put (logs[1], 0, 207, 13);
  ghc_put (logs[1], 5, 1);
  for (guint i = 0; i < 2; i++)
    for (guint k = 1; k < 4; k++)
      ghc_put (logs[i], k, 4);
  expect (logs, 2,
          "cap=0 time=150 nonmoving-heap-census block_size=24 active_segments=1 "
          "filled_segments=2 live_blocks=3",
          "cap=1 time=150 nonmoving-heap-census block_size=32 active_segments=1 "
          "filled_segments=2 live_blocks=3",
          NULL);
}

static void
put_stop (GByteArray *log, guint thread, guint status, guint info)
{
  put (log, 0, 2, 10);
  ghc_put (log, thread, 4);
  ghc_put (log, status, 2);
  ghc_put (log, info, 4);
}

/* 7.8.2 (58 without 59) calls a black hole 9, and reading an MVar 8; the other log says 8 and 20.
 * Who owns a black hole is a thread. */
static void
test_7_8_2 (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (2, 10, 58, 65535, -1), new_log (2, 10, 58, 65535, 59, 0, -1) };
  put_stop (logs[0], 1, 9, 7);
  put_stop (logs[0], 2, 8, 7);
  put_stop (logs[1], 1, 8, 2);
  put_stop (logs[1], 2, 20, 7);
  put_stop (logs[1], 3, 8, 0);
  expect (logs, 2, "cap=0 time=150 stop-thread thread=1 status=8(black-hole) info=7",
          "cap=0 time=150 stop-thread thread=2 status=20(read-mvar) info=7",
          "cap=1 time=150 stop-thread thread=8 status=8(black-hole) info=9",
          "cap=1 time=150 stop-thread thread=9 status=20(read-mvar) info=7",
          "cap=1 time=150 stop-thread thread=10 status=8(black-hole) info=0", NULL);
}

/* Logs of 7.8.2 alone stay so. */
static void
test_only_7_8_2 (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (2, 10, 58, 65535, -1), new_log (2, 10, 58, 65535, -1) };
  put_stop (logs[0], 1, 9, 0);
  put_stop (logs[1], 1, 8, 0);
  expect (logs, 2, "cap=0 time=150 stop-thread thread=1 status=9(black-hole) info=0",
          "cap=1 time=150 stop-thread thread=2 status=8(read-mvar) info=0", NULL);
}

/* 6.12 declares 8 bytes for a thread and writes 4. */
static void
test_6_12 (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (0, 8, 17, 0, -1), new_log (0, 4, -1) };
  put (logs[0], 0, 0, 4);
  ghc_put (logs[0], 5, 4);
  put (logs[0], 0, 17, 2);
  ghc_put (logs[0], 3, 2);
  put (logs[1], 0, 0, 4);
  ghc_put (logs[1], 5, 4);
  expect (logs, 2, "cap=0 time=150 create-thread thread=5", "cap=0 time=150 startup n_caps=3",
          "cap=1 time=150 create-thread thread=10", NULL);
}

/* Events that are not known are as long as the longer of both. */
static void
test_unknown (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (300, 2, -1), new_log (300, 4, 301, 1, -1) };
  put (logs[0], 0, 300, 2);
  ghc_put (logs[0], 1, 2);
  put (logs[1], 0, 300, 4);
  ghc_put (logs[1], 2, 4);
  put (logs[1], 0, 301, 1);
  ghc_put (logs[1], 3, 1);
  expect (logs, 2, "cap=0 time=150 unknown", "cap=1 time=150 unknown", "cap=1 time=150 unknown",
          NULL);
}

/* Cost centres in their announcement and in samples. */
static void
test_cost_centres (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (161, 65535, -1), new_log (167, 65535, -1) };
  put (logs[0], GHC_NO_CAP, 161, 2 + 8);
  ghc_put (logs[0], 8, 2);
  ghc_put (logs[0], 4, 4);
  ghc_put (logs[0], 0, 4);
  put (logs[1], GHC_NO_CAP, 167, 2 + 21);
  ghc_put (logs[1], 21, 2);
  ghc_put (logs[1], 1, 4);
  ghc_put (logs[1], 9, 8);
  ghc_put (logs[1], 2, 1);
  ghc_put (logs[1], 3, 4);
  ghc_put (logs[1], 1, 4);
  expect (logs, 2,
          "time=150 heap-prof-cost-centre cost_centre=4 label=\"\" module=\"\" location=\"\" "
          "flags=0",
          "time=150 prof-sample-cost-centre cap=1 tick=9 stack=[7,5]", NULL);
}

/* The header declares 65534 capabilities and one more. */
static void
test_too_many (void **state)
{
  (void) state;
  GByteArray *logs[] = { new_log (45, 2, -1), new_log (45, 2, -1) };
  struct ghc_merge m;
  GError *error = NULL;
  put (logs[0], GHC_NO_CAP, 45, 2);
  ghc_put (logs[0], 65534, 2);
  put (logs[1], GHC_NO_CAP, 45, 2);
  ghc_put (logs[1], 0, 2);
  assert_false (plan (&m, logs, 2, &error));
  assert_true (g_error_matches (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_TOO_LONG));
  assert_string_equal (error->message,
                       "there are not numbers enough for all capabilities: those of log 2 go up to "
                       "0, and those of the logs before it to 65534; the highest can be 65534");
  g_error_free (error);
  ghc_merge_clear (&m);
  for (guint i = 0; i < 2; i++)
    g_byte_array_unref (logs[i]);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_longer_form),  cmocka_unit_test (test_census),
    cmocka_unit_test (test_7_8_2),        cmocka_unit_test (test_only_7_8_2),
    cmocka_unit_test (test_6_12),         cmocka_unit_test (test_unknown),
    cmocka_unit_test (test_cost_centres), cmocka_unit_test (test_too_many),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
