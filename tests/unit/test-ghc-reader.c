/* test-ghc-reader.c -- headers, blocks, ends, damage of eventlogs. */
#include "config.h"

#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

#include <string.h>

#define TIME 5000000

static void
put_header (GByteArray *log)
{
  ghc_put_header_begin (log);
  ghc_put_type (log, 0, 4, "Create thread");
  ghc_put_type (log, 1, 4, "Run thread");
  ghc_put_type (log, 18, 14, "Block marker");
  ghc_put_type (log, 19, GHC_VARIABLE, "User message");
  ghc_put_header_end (log);
}

/* The size of the header above, computed by hand: 8 + 4 types of 20 bytes and their descriptions of
 * 13, 10, 12, 12 + 12. */
#define HEADER 147

/* Threads from..to-1 run, one event each at its own time. */
static void
put_runs (GByteArray *log, guint from, guint to)
{
  for (guint i = from; i < to; i++) {
    ghc_put_event (log, 1, TIME + i);
    ghc_put (log, i, 4);
  }
}

#define RUN 14

static void
put_block_of_runs (GByteArray *log, guint cap, guint from, guint to)
{
  ghc_put_block (log, 24 + RUN * (to - from), TIME + from, TIME + to, cap);
  put_runs (log, from, to);
}

static void
put_end (GByteArray *log)
{
  ghc_put (log, GHC_DATA_END, 2);
}

/* The log gives these lines, up to NULL; messages of damage are left out. */
static void
expect_items (GByteArray *log, ...)
{
  struct ghc_items *items = ghc_items_read (log->data, log->len, 0, 0);
  va_list args;
  va_start (args, log);
  guint i = 0;
  for (const char *line; (line = va_arg (args, const char *)) != NULL; i++) {
    assert_true (i < items->items->len);
    char **parts = g_strsplit (ghc_items_nth (items, i).line, " -- ", 2);
    assert_string_equal (parts[0], line);
    g_strfreev (parts);
  }
  va_end (args);
  if (i < items->items->len)
    fail_msg ("more than was expected: %s", ghc_items_nth (items, i).line);
  ghc_items_free (items);
  ghc_items_check_splits (log->data, log->len, TRUE);
  g_byte_array_unref (log);
}

static GByteArray *
new_log (void)
{
  GByteArray *log = g_byte_array_new ();
  put_header (log);
  return log;
}

TEST (test_caps)
{
  GByteArray *log = new_log ();
  assert_int_equal (log->len, HEADER);
  put_runs (log, 1, 2); /* before any block */
  put_block_of_runs (log, 2, 2, 3);
  put_block_of_runs (log, 0xffff, 3, 3);
  put_block_of_runs (log, 0xffff, 3, 4);
  put_end (log);
  ghc_items_check_cuts (log->data, log->len, TRUE);
  expect_items (log, "@0+147 header types=4", "@147+14 time=5000001 run-thread thread=1",
                "@161+24 time=5000002 block-marker block_size=38 end_time=5000003 cap=2",
                "@185+14 cap=2 time=5000002 run-thread thread=2",
                "@199+24 time=5000003 block-marker block_size=24 end_time=5000003 cap=65535",
                "@223+24 time=5000003 block-marker block_size=38 end_time=5000004 cap=65535",
                "@247+14 time=5000003 run-thread thread=3", "@261+2 end", NULL);
}

/* From 9.2 on the end mark is in the last block. */
TEST (test_end_in_block)
{
  GByteArray *log = new_log ();
  ghc_put_block (log, 24 + RUN + 2, TIME, TIME + 9, 0xffff);
  put_runs (log, 1, 2);
  put_end (log);
  ghc_items_check_cuts (log->data, log->len, TRUE);
  expect_items (log, "@0+147 header types=4",
                "@147+24 time=5000000 block-marker block_size=40 end_time=5000009 cap=65535",
                "@171+14 time=5000001 run-thread thread=1", "@185+2 end", NULL);
}

/* The end mark may come earlier than the block should end; the log may go on with another header,
 * with a stray marker before it. */
TEST (test_joined)
{
  GByteArray *log = new_log ();
  ghc_put_block (log, 1000, TIME, TIME + 9, 1);
  put_end (log);
  ghc_put_block (log, 24, TIME, TIME, 0);
  ghc_put_header_begin (log);
  ghc_put_type (log, 1, 4, "Run thread");
  ghc_put_header_end (log);
  put_runs (log, 1, 2);
  put_end (log);
  ghc_items_check_cuts (log->data, log->len, TRUE);
  expect_items (
      log, "@0+147 header types=4",
      "@147+24 time=5000000 block-marker block_size=1000 end_time=5000009 cap=1", "@171+2 end",
      "@173+24 time=5000000 block-marker block_size=24 end_time=5000000 cap=0",
      "@197+50 header types=1", "@247+14 time=5000001 run-thread thread=1", "@261+2 end", NULL);
}

TEST (test_stray_marker_first)
{
  GByteArray *log = g_byte_array_new ();
  ghc_put_block (log, 24, TIME, TIME, 0);
  put_header (log);
  put_end (log);
  expect_items (log, "@0+24 time=5000000 block-marker block_size=24 end_time=5000000 cap=0",
                "@24+147 header types=4", "@171+2 end", NULL);
}

/* GHC 6.12: thread ids are declared with 8 bytes and written with 4. */
TEST (test_6_12)
{
  GByteArray *log = g_byte_array_new ();
  ghc_put_header_begin (log);
  ghc_put_type (log, 0, 8, "");
  ghc_put_type (log, 2, 10, "");
  ghc_put_type (log, 6, 10, "");
  ghc_put_type (log, 9, 0, "");
  ghc_put_type (log, 17, 0, "");
  ghc_put_type (log, 18, 14, "");
  ghc_put_header_end (log);
  ghc_put_event (log, 17, TIME);
  ghc_put (log, 3, 2);
  ghc_put_event (log, 0, TIME);
  ghc_put (log, 7, 4);
  ghc_put_event (log, 2, TIME);
  ghc_put (log, 7, 4);
  ghc_put (log, 5, 2);
  ghc_put_event (log, 6, TIME);
  ghc_put (log, 7, 4);
  ghc_put (log, 1, 2);
  ghc_put_event (log, 9, TIME);
  put_end (log);
  expect_items (log, "@0+140 header types=6", "@140+12 time=5000000 startup n_caps=3",
                "@152+14 time=5000000 create-thread thread=7",
                "@166+16 time=5000000 stop-thread thread=7 status=5(finished)",
                "@182+16 time=5000000 steal-spark thread=7 victim_cap=1",
                "@198+10 time=5000000 gc-start", "@208+2 end", NULL);
}

/* GHC 7.8.2 declares 58 and not 59, and counts reasons to stop otherwise. */
TEST (test_7_8_2)
{
  GByteArray *log = g_byte_array_new ();
  ghc_put_header_begin (log);
  ghc_put_type (log, 2, 10, "");
  ghc_put_type (log, 58, GHC_VARIABLE, "");
  ghc_put_header_end (log);
  static const guint statuses[] = { 7, 8, 9, 14, 18 };
  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++) {
    ghc_put_event (log, 2, TIME);
    ghc_put (log, 7, 4);
    ghc_put (log, statuses[i], 2);
    ghc_put (log, 0, 4);
  }
  put_end (log);
  expect_items (
      log, "@0+60 header types=2", "@60+20 time=5000000 stop-thread thread=7 status=7(mvar) info=0",
      "@80+20 time=5000000 stop-thread thread=7 status=8(read-mvar) info=0",
      "@100+20 time=5000000 stop-thread thread=7 status=9(black-hole) info=0",
      "@120+20 time=5000000 stop-thread thread=7 status=14(async-io) info=0",
      "@140+20 time=5000000 stop-thread thread=7 status=18(migrating) info=0", "@160+2 end", NULL);
}

/* Zeros, and bytes that are no event, in a block: reading goes on in the block. */
TEST (test_damaged_block)
{
  for (guint fill = 0; fill < 256; fill += 0xff) {
    GByteArray *log = new_log ();
    put_block_of_runs (log, 0, 1, 9);
    put_block_of_runs (log, 1, 9, 10);
    put_end (log);
    memset (log->data + 171 + RUN, (int) fill, 3 * RUN); /* of threads 2, 3, 4 */
    expect_items (log, "@0+147 header types=4",
                  "@147+24 time=5000001 block-marker block_size=136 end_time=5000009 cap=0",
                  "@171+14 cap=0 time=5000001 run-thread thread=1",
                  "@185+42 damage corrupt missing=0",
                  "@227+14 cap=0 time=5000005 run-thread thread=5",
                  "@241+14 cap=0 time=5000006 run-thread thread=6",
                  "@255+14 cap=0 time=5000007 run-thread thread=7",
                  "@269+14 cap=0 time=5000008 run-thread thread=8",
                  "@283+24 time=5000009 block-marker block_size=38 end_time=5000010 cap=1",
                  "@307+14 cap=1 time=5000009 run-thread thread=9", "@321+2 end", NULL);
  }
}

/* A message whose length is wrong does not take the next block with it. */
TEST (test_damaged_length)
{
  GByteArray *log = new_log ();
  ghc_put_block (log, 24 + 12 + 2 + RUN, TIME, TIME + 9, 0);
  ghc_put_event (log, 19, TIME);
  ghc_put (log, 5000, 2); /* should be 2 */
  ghc_put (log, 0x7878, 2);
  put_runs (log, 1, 2);
  put_block_of_runs (log, 1, 2, 3);
  put_end (log);
  expect_items (log, "@0+147 header types=4",
                "@147+24 time=5000000 block-marker block_size=52 end_time=5000009 cap=0",
                "@171+14 damage corrupt missing=0",
                "@185+14 cap=0 time=5000001 run-thread thread=1",
                "@199+24 time=5000002 block-marker block_size=38 end_time=5000003 cap=1",
                "@223+14 cap=1 time=5000002 run-thread thread=2", "@237+2 end", NULL);
}

/* A time outside the block's, but nothing else: Eden writes such. */
TEST (test_strange_time)
{
  GByteArray *log = new_log ();
  ghc_put_block (log, 24 + 3 * RUN, TIME, TIME + 9, 0);
  put_runs (log, 1, 2);
  ghc_put_event (log, 1, 965);
  ghc_put (log, 7, 4);
  put_runs (log, 2, 3);
  put_end (log);
  expect_items (log, "@0+147 header types=4",
                "@147+24 time=5000000 block-marker block_size=66 end_time=5000009 cap=0",
                "@171+14 cap=0 time=5000001 run-thread thread=1",
                "@185+14 cap=0 time=965 run-thread thread=7",
                "@199+14 cap=0 time=5000002 run-thread thread=2", "@213+2 end", NULL);
}

/* The marker of a block is gone: reading goes on with the next. */
TEST (test_damaged_marker)
{
  GByteArray *log = new_log ();
  put_block_of_runs (log, 0, 1, 2);
  put_block_of_runs (log, 1, 2, 3);
  put_end (log);
  memset (log->data + 147, 0xee, 24);
  expect_items (log, "@0+147 header types=4", "@147+38 damage corrupt missing=0",
                "@185+24 time=5000002 block-marker block_size=38 end_time=5000003 cap=1",
                "@209+14 cap=1 time=5000002 run-thread thread=2", "@223+2 end", NULL);
}

/* The same, but its events are many: they are of no one. */
TEST (test_lost_marker)
{
  GByteArray *log = new_log ();
  put_block_of_runs (log, 0, 1, 3); /* at 147, its end is at 199 */
  put_block_of_runs (log, 1, 3, 7); /* at 199, its events from 223 on */
  put_block_of_runs (log, 2, 7, 8); /* at 279 */
  put_end (log);
  memset (log->data + 185 + 1, 0, 38); /* but for the last byte of its marker */
  expect_items (
      log, "@0+147 header types=4",
      "@147+24 time=5000001 block-marker block_size=52 end_time=5000003 cap=0",
      "@171+14 cap=0 time=5000001 run-thread thread=1", "@185+38 damage corrupt missing=0",
      "@223+14 time=5000003 run-thread thread=3", "@237+14 time=5000004 run-thread thread=4",
      "@251+14 time=5000005 run-thread thread=5", "@265+14 time=5000006 run-thread thread=6",
      "@279+24 time=5000007 block-marker block_size=38 end_time=5000008 cap=2",
      "@303+14 cap=2 time=5000007 run-thread thread=7", "@317+2 end", NULL);
}

/* Zeros begin in an event, or after one that ends with a zero: it does not count.  They end in
 * another: it is none that makes a thread. */
TEST (test_zeros_in_events)
{
  GByteArray *log = new_log ();
  put_block_of_runs (log, 0, 254, 263); /* at 147, events from 171 on; thread 256 at 199 */
  put_end (log);
  memset (log->data + 213, 0, RUN + 2); /* after 256 up to the time of 258 */
  expect_items (log, "@0+147 header types=4",
                "@147+24 time=5000254 block-marker block_size=150 end_time=5000263 cap=0",
                "@171+14 cap=0 time=5000254 run-thread thread=254",
                "@185+14 cap=0 time=5000255 run-thread thread=255",
                "@199+42 damage corrupt missing=0",
                "@241+14 cap=0 time=5000259 run-thread thread=259",
                "@255+14 cap=0 time=5000260 run-thread thread=260",
                "@269+14 cap=0 time=5000261 run-thread thread=261",
                "@283+14 cap=0 time=5000262 run-thread thread=262", "@297+2 end", NULL);
}

/* An event far earlier than the one before, and something like a marker whose block ends nowhere,
 * after damage. */
TEST (test_unlikely)
{
  GByteArray *log = new_log ();
  ghc_put_block (log, 24 + 3 * RUN + 24 + 4 * RUN, 0, TIME + 9, 0);
  put_runs (log, 1, 2);
  g_byte_array_set_size (log, log->len + RUN);
  memset (log->data + 185, 0xee, RUN);
  ghc_put_event (log, 1, 700); /* in time of the block */
  ghc_put (log, 7, 4);
  ghc_put_block (log, 5000, TIME, TIME + 9, 3);
  put_runs (log, 2, 6);
  put_end (log);
  expect_items (log, "@0+147 header types=4",
                "@147+24 time=0 block-marker block_size=146 end_time=5000009 cap=0",
                "@171+14 cap=0 time=5000001 run-thread thread=1",
                "@185+52 damage corrupt missing=0",
                "@237+14 cap=0 time=5000002 run-thread thread=2",
                "@251+14 cap=0 time=5000003 run-thread thread=3",
                "@265+14 cap=0 time=5000004 run-thread thread=4",
                "@279+14 cap=0 time=5000005 run-thread thread=5", "@293+2 end", NULL);
}

/* An event is two days later than its block ends, and others follow it: it is damaged.  One that is
 * an hour later is none of the block's, but an event. */
TEST (test_far_time)
{
  static const guint64 hour_ns = 3600 * G_GUINT64_CONSTANT (1000000000);
  GByteArray *log = new_log ();
  ghc_put_block (log, 24 + 5 * RUN, TIME, TIME + 9, 0);
  put_runs (log, 1, 2);
  ghc_put_event (log, 1, TIME + 48 * hour_ns);
  ghc_put (log, 2, 4);
  put_runs (log, 3, 5);
  ghc_put_event (log, 1, TIME + hour_ns);
  ghc_put (log, 5, 4);
  put_end (log);
  expect_items (log, "@0+147 header types=4",
                "@147+24 time=5000000 block-marker block_size=94 end_time=5000009 cap=0",
                "@171+14 cap=0 time=5000001 run-thread thread=1",
                "@185+14 damage corrupt missing=0",
                "@199+14 cap=0 time=5000003 run-thread thread=3",
                "@213+14 cap=0 time=5000004 run-thread thread=4",
                "@227+14 cap=0 time=3600005000000 run-thread thread=5", "@241+2 end", NULL);
}

/* A text of which the end is gone, with the bytes after it, and whose length is that of more. */
TEST (test_half_text)
{
  GByteArray *log = new_log ();
  ghc_put_block (log, 24 + RUN + 12 + 2000 + RUN, TIME, TIME + 9, 0);
  put_runs (log, 1, 2);
  ghc_put_event (log, 19, TIME + 1);
  ghc_put (log, 2003, 2); /* should be 2000 */
  for (guint i = 0; i < 500; i++)
    ghc_put (log, 0x78787878, 4);
  put_runs (log, 2, 3);
  put_end (log);
  expect_items (log, "@0+147 header types=4",
                "@147+24 time=5000000 block-marker block_size=2064 end_time=5000009 cap=0",
                "@171+14 cap=0 time=5000001 run-thread thread=1",
                "@185+2012 damage corrupt missing=0",
                "@2197+14 cap=0 time=5000002 run-thread thread=2", "@2211+2 end", NULL);
}

/* Blocks of an impossible size; something after the end. */
TEST (test_senseless)
{
  GByteArray *log = new_log ();
  ghc_put_block (log, 23, TIME, TIME + 1, 0);
  put_block_of_runs (log, 1, 2, 3);
  put_end (log);
  ghc_put (log, 0x7878787878, 5);
  expect_items (log, "@0+147 header types=4", "@147+24 damage corrupt missing=0",
                "@171+24 time=5000002 block-marker block_size=38 end_time=5000003 cap=1",
                "@195+14 cap=1 time=5000002 run-thread thread=2", "@209+2 end",
                "@211+5 damage corrupt missing=0", NULL);
}

/* How much is missing of cut logs. */
TEST (test_missing)
{
  GByteArray *log = new_log ();
  put_block_of_runs (log, 0, 1, 3);
  put_end (log);
  struct ghc_items *items = ghc_items_read (log->data, 180, 0, 0);
  assert_int_equal (items->items->len, 3);
  assert_int_equal (ghc_items_nth (items, 2).missing, 199 - 180);
  ghc_items_free (items);
  items = ghc_items_read (log->data, 185, 0, 0); /* between events */
  assert_int_equal (items->items->len, 4);
  assert_int_equal (ghc_items_nth (items, 3).missing, 199 - 185);
  ghc_items_free (items);
  items = ghc_items_read (log->data, 150, 0, 0); /* in the marker */
  assert_int_equal (items->items->len, 2);
  assert_int_equal (ghc_items_nth (items, 1).missing, 171 - 150);
  ghc_items_free (items);
  g_byte_array_unref (log);
}

static void
expect_error (GByteArray *log, const char *part)
{
  struct ghc_items *items = ghc_items_read (log->data, log->len, 0, 0);
  assert_int_equal (items->result, PROFLOG_ERROR);
  assert_int_equal (items->error->code, PROFLOG_READ_ERROR_NOT_A_LOG);
  if (strstr (items->error->message, part) == NULL)
    fail_msg ("'%s' does not say '%s'", items->error->message, part);
  ghc_items_free (items);
  ghc_items_check_splits (log->data, log->len, TRUE);
  g_byte_array_unref (log);
}

TEST (test_no_logs)
{
  GByteArray *log = g_byte_array_new ();
  ghc_put (log, 0x68656c6c6f20776f, 8);
  expect_error (log, "68 65 6c 6c");
  log = g_byte_array_new ();
  ghc_put (log, 0x686472626865746f, 8);
  expect_error (log, "at offset 4 there is 68 65 74 6f instead of 68 65 74 62");
  log = g_byte_array_new ();
  ghc_put_header_begin (log);
  ghc_put_type (log, 1, 4, "Run thread");
  ghc_put_type (log, 1, 4, "Run thread");
  ghc_put_header_end (log);
  expect_error (log, "declared again");
  log = g_byte_array_new ();
  ghc_put_header_begin (log);
  ghc_put_type (log, 1, 4, "Run thread");
  ghc_put (log, 0x12345678, 4);
  expect_error (log, "12345678");
}

/* Every 0a of the header became 0d 0a. */
TEST (test_text_mode)
{
  GByteArray *log = new_log (), *copy = g_byte_array_new ();
  for (guint i = 0; i < log->len; i++) {
    if (log->data[i] == 10)
      ghc_put (copy, 13, 1);
    ghc_put (copy, log->data[i], 1);
  }
  g_byte_array_unref (log);
  expect_error (copy, "0d 0a");
}

/* A description that is declared huge takes no memory. */
TEST (test_huge)
{
  GByteArray *log = g_byte_array_new ();
  ghc_put_header_begin (log);
  ghc_put (log, 0x65746200, 4);
  ghc_put (log, 1, 2);
  ghc_put (log, 4, 2);
  ghc_put (log, 0xfffffff0, 4);
  expect_error (log, "4294967280");
}

/* Whatever happens to a log, its items are all bytes of it, however it is split. */
TEST (test_random_damage)
{
  GRand *random = g_rand_new_with_seed (4);
  for (guint round = 0; round < 300; round++) {
    GByteArray *log = new_log ();
    const guint header = log->len;
    for (guint block = 0; block < 6; block++)
      put_block_of_runs (log, block, 10 * block + 1, 10 * block + 11);
    put_end (log);
    const guint changes = 1 + round % 5;
    for (guint i = 0; i < changes; i++) {
      const guint at = (guint) g_rand_int_range (random, (gint32) header, (gint32) log->len);
      const guint wanted = 1u << g_rand_int_range (random, 0, 8);
      const guint length = MIN (wanted, log->len - at);
      const guint8 fill = (guint8) g_rand_int_range (random, 0, 256);
      for (guint k = 0; k < length; k++)
        log->data[at + k] = round % 2 != 0 ? fill : (guint8) g_rand_int_range (random, 0, 256);
      if (round % 7 == 0)
        g_byte_array_remove_range (log, at, length);
      else if (round % 7 == 1)
        g_byte_array_set_size (log, log->len - length / 2);
    }
    ghc_items_check_splits (log->data, log->len, FALSE);
    g_byte_array_unref (log);
  }
  g_rand_free (random);
}

/* Reads a log in two pieces and skips all blocks; "@OFFSET NAME " for each item. */
static char *
skip_blocks (const GByteArray *log, guint split)
{
  static const char *const names[] = { "header", "event", "end", "damage" };
  struct ghc_reader *reader = ghc_reader_new ();
  GString *text = g_string_new (NULL);
  const struct ghc_item *item;
  for (guint i = 0; i < 3; i++) {
    if (i == 2)
      ghc_reader_finish (reader);
    else
      ghc_reader_push (reader, log->data + (i == 0 ? 0 : split), i == 0 ? split : log->len - split);
    while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
      g_string_append_printf (text, "@%d %s ", (int) item->offset - HEADER, names[item->type]);
      if (item->kind == GHC_BLOCK_MARKER)
        ghc_reader_skip_block (reader);
    }
  }
  ghc_reader_free (reader);
  return g_string_free (text, FALSE);
}

static void
expect_skipped (GByteArray *log, const char *expected)
{
  for (guint split = 1; split < log->len; split++) {
    char *text = skip_blocks (log, split);
    assert_string_equal (text, expected);
    g_free (text);
  }
}

/* Two events in the first block, one in the second, which ends with bytes like an end mark; the
 * third has one. */
TEST (test_skip_block)
{
  GByteArray *log = new_log ();
  put_block_of_runs (log, 0, 1, 3);
  put_block_of_runs (log, 1, 0xffff, 0x10000);
  ghc_put_block (log, 24 + RUN + 2, TIME, TIME + 10, 2);
  put_runs (log, 1, 2);
  put_end (log);
  expect_skipped (log, "@-147 header @0 event @52 event @90 event @128 end ");
  g_byte_array_set_size (log, log->len - 5);
  expect_skipped (log, "@-147 header @0 event @52 event @90 event @123 damage ");
  g_byte_array_unref (log);
}
