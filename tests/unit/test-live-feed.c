/* test-live-feed.c -- several logs in one stream, whole and cut, in pieces of any size. */
#include "config.h"

#include "decoder/live/live-feed.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/test.h"

#include <string.h>

/* What came out of a feed. */
struct seen {
  unsigned headers, events, damages, ghc_headers, ghc_events;
  uint64_t buffer_bytes;
  bool takes_buffers;
};

static void
see_mono (void *data, const struct mlpd_item *item)
{
  struct seen *s = data;
  s->headers += item->type == MLPD_ITEM_FILE_HEADER;
  s->events += item->type == MLPD_ITEM_EVENT;
  s->damages += item->type == MLPD_ITEM_DAMAGE;
}

static void
see_ghc (void *data, const struct ghc_item *item)
{
  struct seen *s = data;
  s->ghc_headers += item->type == GHC_ITEM_HEADER;
  s->ghc_events += item->type == GHC_ITEM_EVENT;
  s->damages += item->type == GHC_ITEM_DAMAGE;
}

static bool
see_buffers (void *data, const uint8_t *bytes, size_t length, uint64_t offset)
{
  struct seen *s = data;
  (void) bytes;
  (void) offset;
  s->buffer_bytes += s->takes_buffers ? length : 0;
  return s->takes_buffers;
}

static GByteArray *
load (const char *name)
{
  char *path = fixture_path ("logs", name);
  GByteArray *log = fixture_log (path);
  g_free (path);
  return log;
}

/* The reader alone is the judge of what a log has. */
static unsigned
events_of (const GByteArray *log)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  unsigned events = 0;
  mlpd_reader_push (reader, log->data, log->len);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    events += item->type == MLPD_ITEM_EVENT;
  mlpd_reader_free (reader);
  return events;
}

static struct seen
feed_all (const GByteArray *bytes, size_t piece, bool scans, bool takes)
{
  struct seen seen = { .takes_buffers = takes };
  const struct live_handler handler = { see_mono, see_ghc, scans ? see_buffers : NULL, &seen };
  struct live_feed *feed = live_feed_new (&handler);
  live_feed_begin (feed);
  for (size_t at = 0; at < bytes->len; at += piece) {
    /* What is read beyond a piece is found by sanitizers. */
    const size_t n = MIN (piece, bytes->len - at);
    uint8_t *copy = g_memdup2 (bytes->data + at, n);
    assert_true (live_feed_push (feed, copy, n));
    g_free (copy);
  }
  assert_true (live_feed_finish (feed));
  live_feed_free (feed);
  return seen;
}

TEST (test_two_logs)
{
  static const size_t pieces[] = { 1, 7, 1000, 1 << 20 };
  GByteArray *first = load ("all-v17.mlpd"), *second = load ("all-v01.mlpd");
  const unsigned events = events_of (first) + events_of (second);
  assert_true (events > 200);
  g_byte_array_append (first, second->data, second->len);
  for (size_t i = 0; i < G_N_ELEMENTS (pieces); i++)
    for (int scans = 0; scans < 2; scans++) {
      const struct seen seen = feed_all (first, pieces[i], scans, false);
      assert_int_equal (seen.headers, 2);
      assert_int_equal (seen.events, events);
      assert_int_equal (seen.damages, 0);
    }
  g_byte_array_unref (first);
  g_byte_array_unref (second);
}

/* Wherever a log is cut, the next one is found, and all of it. */
TEST (test_cut_log)
{
  GByteArray *first = load ("all-v17.mlpd"), *second = load ("all-v01.mlpd");
  const unsigned events = events_of (second);
  for (guint cut = 400; cut < first->len; cut += 23) {
    GByteArray *both = g_byte_array_new ();
    g_byte_array_append (both, first->data, cut);
    g_byte_array_append (both, second->data, second->len);
    const struct seen seen = feed_all (both, 4096, false, false);
    if (seen.headers != 2 || seen.events < events)
      print_error ("cut at %u: %u headers, %u events\n", cut, seen.headers, seen.events);
    assert_int_equal (seen.headers, 2);
    assert_true (seen.events >= events);
    g_byte_array_unref (both);
  }
  g_byte_array_unref (first);
  g_byte_array_unref (second);
}

/* Whole buffers are offered: together they are all of the log but its header. */
TEST (test_buffers)
{
  GByteArray *log = load ("all-v17.mlpd");
  struct seen seen = feed_all (log, 100, true, true);
  const uint64_t header = log->len - seen.buffer_bytes;
  assert_int_equal (seen.headers, 1);
  assert_int_equal (seen.events, 0);
  assert_int_equal (header, 90); /* the first event is at 138, after the header of a buffer, 48 */
  g_byte_array_unref (log);
}

TEST (test_no_log)
{
  static const uint8_t text[] = "This is no log at all, but some text.";
  struct seen seen = { 0 };
  const struct live_handler handler = { see_mono, see_ghc, NULL, &seen };
  struct live_feed *feed = live_feed_new (&handler);
  assert_false (live_feed_push (feed, text, sizeof text));
  assert_non_null (live_feed_error (feed));
  live_feed_begin (feed); /* another one may be */
  assert_null (live_feed_error (feed));
  live_feed_free (feed);
}
