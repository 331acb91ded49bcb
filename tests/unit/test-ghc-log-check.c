/* test-ghc-log-check.c -- what is found in eventlogs that are not as they should be. */
#include "decoder/analyses/ghc-log-check.h"
#include "decoder/formats/ghc-describe.h"
#include "tests/unit/ghc-items.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static GByteArray *log_bytes;
static guint start; /* of what follows the header */

static void
put_header (void)
{
  ghc_put_header_begin (log_bytes);
  for (unsigned kind = 0; kind < GHC_KINDS; kind++)
    ghc_put_type (log_bytes, ghc_describe (kind)->tag, ghc_describe (kind)->size, "");
  ghc_put_type (log_bytes, 300, 2, "something new");
  ghc_put_header_end (log_bytes);
  start = log_bytes->len;
}

static int
begin (void **state)
{
  (void) state;
  log_bytes = g_byte_array_new ();
  put_header ();
  return 0;
}

static int
end (void **state)
{
  (void) state;
  g_byte_array_unref (log_bytes);
  return 0;
}

/* A block of capability 0 with so many bytes of events to follow. */
static void
put_block (guint bytes, guint64 time, guint64 end_time)
{
  ghc_put_block (log_bytes, 24 + bytes, time, end_time, 0);
}

static void
put (guint tag, guint64 time)
{
  ghc_put_event (log_bytes, tag, time);
}

/* A thread stops; 20 bytes. */
static void
put_stop (guint64 time, guint status)
{
  put (2, time);
  ghc_put (log_bytes, 1, 4);
  ghc_put (log_bytes, status, 2);
  ghc_put (log_bytes, 0, 4);
}

static void
check_log (struct ghc_log_check *c)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_log_check_init (c, true);
  ghc_reader_push (reader, log_bytes->data, log_bytes->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    ghc_log_check_item (c, item);
  assert_null (ghc_reader_error (reader));
  ghc_reader_free (reader);
  ghc_log_check_finish (c);
}

/* Exactly these are found: kind, how often, offset of the first behind the header; up to -1. */
static void
expect (const struct ghc_log_check *c, ...)
{
  struct check_finding found[GHC_FINDINGS];
  va_list args;
  memcpy (found, c->findings, sizeof found);
  va_start (args, c);
  for (int kind; (kind = va_arg (args, int)) >= 0;) {
    assert_int_equal (found[kind].count, va_arg (args, int));
    assert_int_equal (found[kind].offset, start + (guint) va_arg (args, int));
    found[kind].count = 0;
  }
  va_end (args);
  for (unsigned i = 0; i < GHC_FINDINGS; i++)
    assert_int_equal (found[i].count, 0);
}

/* The end of the log, with something that tells of the program. */
static void
put_end (void)
{
  ghc_put_block (log_bytes, 24 + 26, 10000, 11000, GHC_NO_CAP);
  put (43, 10500);
  ghc_put (log_bytes, 1, 4);
  ghc_put (log_bytes, 2, 8);
  ghc_put (log_bytes, 3, 4);
  ghc_put (log_bytes, GHC_DATA_END, 2);
}

static void
test_good (void **state)
{
  (void) state;
  struct ghc_log_check c;
  put_block (40, 1000, 2000);
  put (9, 1100);
  put (54, 1300);
  put (10, 1200); /* as it should be */
  put (9, 1900);
  put_block (10, 2100, 3000); /* it goes on in the next one */
  put (10, 2050);
  put_end ();
  check_log (&c);
  expect (&c, -1);
  assert_int_equal (ghc_log_check_level (&c), CHECK_NOTE);
  assert_int_equal (c.log.blocks, 3);
  assert_int_equal (c.log.events, 6);
  assert_int_equal (c.blocks->len, 3);
  const struct ghc_check_block *block = &g_array_index (c.blocks, struct ghc_check_block, 1);
  assert_int_equal (block->offset, start + 64);
  assert_int_equal (block->size, 34);
  assert_int_equal (block->start, 2100);
  assert_int_equal (block->end, 3000);
  assert_int_equal (block->events, 1);
  ghc_log_check_clear (&c);
}

static void
test_order (void **state)
{
  (void) state;
  struct ghc_log_check c;
  put_block (40, 1000, 2000);
  put (35, 1500);
  put (35, 1400);
  put (35, 1450);
  put (35, 2500);
  put_block (0, 1900, 1950);
  put_block (0, 3000, 2900);
  put_end ();
  check_log (&c);
  expect (&c, GHC_CHECK_EVENT_ORDER, 2, 34, GHC_CHECK_EVENT_TIME, 1, 54, GHC_CHECK_BLOCK_ORDER, 1,
          64, GHC_CHECK_BLOCK_TIMES, 1, 88, -1);
  assert_int_equal (ghc_log_check_level (&c), CHECK_WARNING);
  ghc_log_check_clear (&c);
}

static void
test_events (void **state)
{
  (void) state;
  struct ghc_log_check c;
  put (17, 900);
  ghc_put (log_bytes, 1, 2);
  put_block (10 + 10 + 10 + 20 + 20 + 12 + 22 + 22, 1000, 2000);
  put (10, 1100);
  put (9, 1200);
  put (9, 1300);
  put_stop (1400, 3);
  put_stop (1500, 15);
  put (300, 1600);
  ghc_put (log_bytes, 7, 2);
  put (49, 1700);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 500, 8);
  put (49, 1800);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 499, 8);
  ghc_put (log_bytes, GHC_DATA_END, 2);
  check_log (&c);
  /* Each begun collection is open: the first when the second begins, that at the end. */
  expect (&c, GHC_CHECK_NO_BLOCK, 1, 0, GHC_CHECK_GC_ENDS, 1, 36, GHC_CHECK_GC_STARTS, 2, 46,
          GHC_CHECK_STATUS, 1, 86, GHC_CHECK_UNKNOWN, 1, 106, GHC_CHECK_COUNTERS, 1, 140, -1);
  ghc_log_check_clear (&c);
}

/* Recording that begins anew: a marker of its own, a header, times and counters from the start. */
static void
test_restart (void **state)
{
  (void) state;
  struct ghc_log_check c;
  put_block (22, 5000, 6000);
  put (49, 5500);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 500, 8);
  put_end ();
  const guint marker = log_bytes->len;
  put_block (100, 20000, 20000);
  put_header ();
  put_block (22, 100, 200);
  put (49, 150);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 5, 8);
  put_end ();
  check_log (&c);
  start = marker;
  expect (&c, GHC_CHECK_STRAY_BLOCK, 1, 0, -1);
  assert_int_equal (c.log.headers, 2);
  assert_int_equal (c.log.ends, 2);
  ghc_log_check_clear (&c);
}

/* A killed program: no end, nothing of the program; and a block with zeros in it. */
static void
test_damage (void **state)
{
  (void) state;
  struct ghc_log_check c;
  put_block (500, 1000, 2000);
  for (unsigned i = 0; i < 50; i++)
    put (35, 1100 + i);
  memset (log_bytes->data + start + 24 + 100, 0, 100);
  check_log (&c);
  const guint size = log_bytes->len - start;
  expect (&c, GHC_CHECK_NO_PROGRAM, 1, size, -1);
  assert_int_equal (ghc_log_check_level (&c), CHECK_ERROR);
  assert_int_equal (c.log.damages, 2);
  assert_int_equal (c.log.skipped_bytes, 100);
  assert_int_equal (c.damaged_blocks, 1);
  const struct ghc_check_block *block = &g_array_index (c.blocks, struct ghc_check_block, 0);
  assert_int_equal (block->skipped, 100);
  assert_int_equal (block->events, 40);
  assert_int_equal (block->damage, 1);
  assert_int_equal (g_array_index (c.damages, struct check_damage, 0).offset, start + 124);
  ghc_log_check_clear (&c);
}

#define TEST(function) cmocka_unit_test_setup_teardown (function, begin, end)

int
main (void)
{
  const struct CMUnitTest tests[] = { TEST (test_good), TEST (test_order), TEST (test_events),
                                      TEST (test_restart), TEST (test_damage) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
