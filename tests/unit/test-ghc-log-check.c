/* test-ghc-log-check.c -- findings in eventlogs that are not as they should be. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-log-check.h"
#include "decoder/ghc/ghc-describe.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

static GByteArray *log_bytes;
static guint start; /* of the events after the header */

static void
put_header (void)
{
  ghc_put_header_begin (log_bytes);
  ghc_put_all_types (log_bytes);
  ghc_put_type (log_bytes, 300, 2, "something new");
  ghc_put_header_end (log_bytes);
  start = log_bytes->len;
}

static void
begin (void)
{
  log_bytes = g_byte_array_new ();
  put_header ();
}

static void
end (void)
{
  g_byte_array_unref (log_bytes);
}

/* A block of capability 0 with this many bytes of events to follow. */
static void
put_block (guint bytes, guint64 time, guint64 end_time)
{
  ghc_put_block (log_bytes, 24 + bytes, time, end_time, 0);
}

static void
put_event (guint tag, guint64 time)
{
  ghc_put_event (log_bytes, tag, time);
}

/* A thread stops; 20 bytes. */
static void
put_stop (guint64 time, guint status)
{
  put_event (2, time);
  ghc_put (log_bytes, 1, 4);
  ghc_put (log_bytes, status, 2);
  ghc_put (log_bytes, 0, 4);
}

/* With spans, as the reader has them; or all one by one. */
static void
check_items (struct ghc_log_check *c, bool spans)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  struct ghc_span span;
  ghc_log_check_init (c, true);
  ghc_reader_push (reader, log_bytes->data, log_bytes->len);
  ghc_reader_finish (reader);
  for (;;) {
    if (spans && ghc_span_of (reader, &span)) {
      ghc_log_check_span (c, &span);
      ghc_span_pass (reader, &span);
    }
    if (ghc_reader_next (reader, &item) != PROFLOG_EVENT)
      break;
    ghc_log_check_item (c, item);
  }
  assert_null (ghc_reader_error (reader));
  ghc_reader_free (reader);
  ghc_log_check_finish (c);
}

static void
expect_equal (const struct ghc_log_check *a, const struct ghc_log_check *b)
{
  assert_memory_equal (a->findings, b->findings, sizeof a->findings);
  assert_int_equal (a->blocks->len, b->blocks->len);
  for (guint i = 0; i < a->blocks->len; i++) {
    const struct ghc_check_block *x = &g_array_index (a->blocks, struct ghc_check_block, i),
                                 *y = &g_array_index (b->blocks, struct ghc_check_block, i);
    assert_int_equal (x->offset, y->offset);
    assert_int_equal (x->events, y->events);
    assert_int_equal (x->skipped, y->skipped);
    assert_int_equal (x->damage, y->damage);
  }
  assert_int_equal (a->damages->len, b->damages->len);
  assert_int_equal (a->caps, b->caps);
  assert_int_equal (a->log.events, b->log.events);
  assert_int_equal (a->log.bytes, b->log.bytes);
  assert_int_equal (a->log.blocks, b->log.blocks);
  assert_int_equal (a->log.first, b->log.first);
  assert_int_equal (a->log.last, b->log.last);
  assert_memory_equal (a->log.tags, b->log.tags, 301 * sizeof *a->log.tags);
}

/* Both ways find the same. */
static void
check_log (struct ghc_log_check *c)
{
  struct ghc_log_check one_by_one;
  check_items (&one_by_one, false);
  check_items (c, true);
  expect_equal (c, &one_by_one);
  ghc_log_check_clear (&one_by_one);
}

/* Exactly these are found: kind, how often, offset of the first after the header; up to -1. */
static void
expect_findings (const struct ghc_log_check *c, ...)
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

/* The end of the log, with something that reports about the program. */
static void
put_end (void)
{
  ghc_put_block (log_bytes, 24 + 26, 10000, 11000, GHC_NO_CAP);
  put_event (43, 10500);
  ghc_put (log_bytes, 1, 4);
  ghc_put (log_bytes, 2, 8);
  ghc_put (log_bytes, 3, 4);
  ghc_put (log_bytes, GHC_DATA_END, 2);
}

TEST_WITH (test_good, begin, end)
{
  struct ghc_log_check c;
  put_block (40, 1000, 2000);
  put_event (9, 1100);
  put_event (54, 1300);
  put_event (10, 1200); /* as it should be */
  put_event (9, 1900);
  put_block (10, 2100, 3000); /* it goes on in the next one */
  put_event (10, 2050);
  put_end ();
  check_log (&c);
  expect_findings (&c, -1);
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

TEST_WITH (test_order, begin, end)
{
  struct ghc_log_check c;
  put_block (40, 1000, 2000);
  put_event (35, 1500);
  put_event (35, 1400);
  put_event (35, 1450);
  put_event (35, 2500);
  put_block (0, 1900, 1950);
  put_block (0, 3000, 2900);
  put_end ();
  check_log (&c);
  expect_findings (&c, GHC_CHECK_EVENT_ORDER, 2, 34, GHC_CHECK_EVENT_TIME, 1, 54,
                   GHC_CHECK_BLOCK_ORDER, 1, 64, GHC_CHECK_BLOCK_TIMES, 1, 88, -1);
  assert_int_equal (ghc_log_check_level (&c), CHECK_WARNING);
  ghc_log_check_clear (&c);
}

TEST_WITH (test_events, begin, end)
{
  struct ghc_log_check c;
  put_event (17, 900);
  ghc_put (log_bytes, 1, 2);
  put_block (10 + 10 + 10 + 20 + 20 + 12 + 22 + 22, 1000, 2000);
  put_event (10, 1100);
  put_event (9, 1200);
  put_event (9, 1300);
  put_stop (1400, 3);
  put_stop (1500, 15);
  put_event (300, 1600);
  ghc_put (log_bytes, 7, 2);
  put_event (49, 1700);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 500, 8);
  put_event (49, 1800);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 499, 8);
  ghc_put (log_bytes, GHC_DATA_END, 2);
  check_log (&c);
  /* Each begun collection is open: the first when the second begins, that at the end. */
  expect_findings (&c, GHC_CHECK_NO_BLOCK, 1, 0, GHC_CHECK_GC_CUT, 1, 36, GHC_CHECK_GC_STARTS, 2,
                   46, GHC_CHECK_STATUS, 1, 86, GHC_CHECK_UNKNOWN, 1, 106, GHC_CHECK_COUNTERS, 1,
                   140, -1);
  ghc_log_check_clear (&c);
}

/* A thread is created; 14 bytes. */
static void
put_create (guint64 time, guint thread)
{
  put_event (0, time);
  ghc_put (log_bytes, thread, 4);
}

/* The first end of a capability may be of a collection that began before the log, unless the log
 * has the program's start; the second one may not. */
TEST_WITH (test_ends_of_collections, begin, end)
{
  for (guint thread = 1; thread <= 2; thread++) {
    struct ghc_log_check c;
    g_byte_array_set_size (log_bytes, start);
    put_block (14 + 4 * 10, 1000, 2000);
    put_create (1100, thread);
    put_event (10, 1200);
    put_event (9, 1300);
    put_event (10, 1400);
    put_event (10, 1500);
    put_end ();
    check_log (&c);
    if (thread == 1)
      expect_findings (&c, GHC_CHECK_GC_ENDS, 2, 24 + 14, -1);
    else
      expect_findings (&c, GHC_CHECK_GC_CUT, 1, 24 + 14, GHC_CHECK_GC_ENDS, 1, 24 + 14 + 30, -1);
    ghc_log_check_clear (&c);
  }
}

/* Recording that begins anew: a marker of its own, a header, times and counters from the start. */
TEST_WITH (test_restart, begin, end)
{
  struct ghc_log_check c;
  put_block (22, 5000, 6000);
  put_event (49, 5500);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 500, 8);
  put_end ();
  const guint marker = log_bytes->len;
  put_block (100, 20000, 20000);
  const guint header = log_bytes->len;
  put_header ();
  put_block (22, 100, 200);
  put_event (49, 150);
  ghc_put (log_bytes, 0, 4);
  ghc_put (log_bytes, 5, 8);
  put_end ();
  check_log (&c);
  start = marker;
  /* Times begin anew, so it is no recording that went on. */
  expect_findings (&c, GHC_CHECK_STRAY_BLOCK, 1, 0, GHC_CHECK_OVERLAP, 1, header - marker, -1);
  assert_int_equal (c.log.headers, 2);
  assert_int_equal (c.log.ends, 2);
  ghc_log_check_clear (&c);
}

/* A killed program: no end, nothing of the program; and a block with zeros in it. */
TEST_WITH (test_damage, begin, end)
{
  struct ghc_log_check c;
  put_block (500, 1000, 2000);
  for (unsigned i = 0; i < 50; i++)
    put_event (35, 1100 + i);
  memset (log_bytes->data + start + 24 + 100, 0, 100);
  check_log (&c);
  const guint size = log_bytes->len - start;
  expect_findings (&c, GHC_CHECK_NO_PROGRAM, 1, size, -1);
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

static void
put_message (const char *text)
{
  const gsize length = strlen (text);
  put_block ((guint) (12 + length), 1000, 2000);
  put_event (16, 1100);
  ghc_put (log_bytes, length, 2);
  g_byte_array_append (log_bytes, (const guint8 *) text, (guint) length);
}

/* Messages of our writers about missing events; the second one lacks nothing but names. */
TEST_WITH (test_losses, begin, end)
{
  static const char first[] = "proflog: 71 events had to be dropped",
                    second[] = "proflog: 0 events are not in the log: File too large";
  struct ghc_log_check c;
  put_message (first);
  put_message ("proflog: no events");
  put_end ();
  check_log (&c);
  assert_int_equal (ghc_log_check_level (&c), CHECK_ERROR);
  assert_int_equal (c.log.lost_events, 71);
  assert_int_equal (c.damages->len, 1);
  assert_string_equal (g_array_index (c.damages, struct check_damage, 0).message,
                       "71 events had to be dropped");
  ghc_log_check_clear (&c);

  g_byte_array_set_size (log_bytes, start);
  put_message (second);
  put_end ();
  check_log (&c);
  assert_int_equal (ghc_log_check_level (&c), CHECK_ERROR);
  ghc_log_check_clear (&c);

  g_byte_array_set_size (log_bytes, start);
  put_message (second);
  put_message (first);
  put_message (first);
  put_end ();
  check_log (&c);
  assert_int_equal (c.log.lost_events, 142);
  assert_string_equal (g_array_index (c.damages, struct check_damage, 0).message,
                       "142 events are missing, in 3 places");
  ghc_log_check_clear (&c);
}

/* Damage of any kind, in logs of real programs. */
TEST_WITH (test_damaged_logs, begin, end)
{
  GPtrArray *paths = fixture_paths ("logs", ".eventlog.gz", 20);
  GRand *rand = g_rand_new_with_seed (43);
  guint damaged = 0;
  for (guint i = 0; i < paths->len; i++) {
    GByteArray *log = fixture_log (g_ptr_array_index (paths, i));
    for (guint j = 0; j < 10 && log->len > 8000; j++) {
      struct ghc_log_check c;
      const guint length = MIN (log->len, 100000);
      g_byte_array_set_size (log_bytes, 0);
      g_byte_array_append (log_bytes, log->data, length);
      for (guint k = 0; k < j; k++)
        log_bytes->data[g_rand_int_range (rand, 4000, (gint) length)]
            = (guint8) g_rand_int_range (rand, 0, 256);
      check_log (&c);
      damaged += c.log.damages != 0 && c.log.events > 1000;
      ghc_log_check_clear (&c);
    }
    g_byte_array_unref (log);
  }
  assert_true (damaged > 20);
  g_rand_free (rand);
  g_ptr_array_unref (paths);
}
