/* test-live-feed.c -- several logs in one stream, whole and cut, in pieces of any size. */
#include "config.h"

#include "decoder/live/live-feed.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/test.h"

#include <proflog/mlpd-writer.h>
#include <string.h>

/* The output of a feed. */
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

/* The reader alone is the judge of a log's events. */
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
    /* Sanitizers find reads beyond a piece. */
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

/* Bytes that are no buffer may end anywhere in a piece, as the id of the header after it may. */
TEST (test_log_after_rubbish)
{
  GByteArray *first = load ("all-v17.mlpd"), *second = load ("all-v01.mlpd");
  const unsigned events = events_of (first) + events_of (second);
  for (guint rubbish = 40; rubbish < 70; rubbish++)
    for (size_t piece = 1; piece < 8; piece++) {
      GByteArray *both = g_byte_array_new ();
      g_byte_array_append (both, first->data, first->len);
      for (guint i = 0; i < rubbish; i++)
        g_byte_array_append (both, (const uint8_t *) "x", 1);
      g_byte_array_append (both, second->data, second->len);
      const struct seen seen = feed_all (both, piece, false, false);
      if (seen.headers != 2 || seen.events != events || seen.damages != 1)
        fail_msg ("%u bytes, pieces of %zu: %u headers, %u events, %u damages", rubbish, piece,
                  seen.headers, seen.events, seen.damages);
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

/* ---- logs that are written for a test ---- */

static struct mlpd_writer *
begin_log (void)
{
  const struct mlpd_file_header header
      = { .minor = 4, .data_version = 1, .pointer_size = 8, .start_ms = 1 };
  struct mlpd_writer *w = mlpd_writer_new ();
  assert_true (mlpd_writer_header (w, &header, NULL));
  return w;
}

static void
put_method (struct mlpd_writer *w, const char *name)
{
  const union mlpd_payload p
      = { .method_jit
          = { .time = 2, .method = 64, .code = 8, .size = 1, .name = { name, strlen (name) } } };
  assert_true (mlpd_writer_begin_buffer (w, 7, 1, NULL));
  assert_true (mlpd_writer_event (w, MLPD_METHOD_JIT, &p, NULL));
  mlpd_writer_end_buffer (w);
}

static GByteArray *
end_log (struct mlpd_writer *w)
{
  size_t length;
  const uint8_t *bytes = mlpd_writer_take (w, &length);
  GByteArray *log = g_byte_array_append (g_byte_array_new (), bytes, (guint) length);
  mlpd_writer_free (w);
  return log;
}

/* In pieces of any size, as buffers that are wanted or not: the same of each. */
static void
expect_seen (const GByteArray *log, unsigned headers, unsigned events, unsigned damages)
{
  static const size_t pieces[] = { 1, 3, 50, 1 << 20 };
  for (size_t i = 0; i < G_N_ELEMENTS (pieces); i++)
    for (int scans = 0; scans < 2; scans++) {
      const struct seen seen = feed_all (log, pieces[i], scans, false);
      if (seen.headers != headers || seen.events != events || seen.damages != damages)
        fail_msg ("pieces of %zu bytes: %u headers, %u events, %u damages", pieces[i], seen.headers,
                  seen.events, seen.damages);
    }
}

/* Marks of losses are no whole buffers, but neither do they end the log. */
TEST (test_losses)
{
  struct mlpd_writer *w = begin_log ();
  put_method (w, "a");
  assert_true (mlpd_writer_loss (w, 3, 0, 5, 0, NULL));
  put_method (w, "b");
  assert_true (mlpd_writer_loss (w, 4, 0, 6, 0, NULL));
  assert_true (mlpd_writer_end (w, 5, 7, NULL));
  GByteArray *log = end_log (w);
  expect_seen (log, 1, 2, 2);
  g_byte_array_unref (log);
}

/* In a name: the first bytes of headers, but no header of a version that there is. */
TEST (test_no_header)
{
  struct mlpd_writer *w = begin_log ();
  put_method (w, "\x01ZPM and \x01ZPM\x03\x01\x7f\x08 and a text as long as the header of a log");
  put_method (w, "last");
  assert_true (mlpd_writer_end (w, 5, 7, NULL));
  GByteArray *log = end_log (w);
  expect_seen (log, 1, 2, 0);
  g_byte_array_unref (log);
}

/* A log whose last buffer lacks something, before another log and at the end. */
TEST (test_short_logs)
{
  struct mlpd_writer *w = begin_log ();
  put_method (w, "a");
  put_method (w, "the last one, which has a long name");
  GByteArray *cut = end_log (w);
  g_byte_array_set_size (cut, cut->len - 20);
  expect_seen (cut, 1, 1, 1);
  GByteArray *both = g_byte_array_append (g_byte_array_new (), cut->data, cut->len);
  w = begin_log ();
  put_method (w, "c");
  assert_true (mlpd_writer_end (w, 5, 7, NULL));
  GByteArray *other = end_log (w);
  g_byte_array_append (both, other->data, other->len);
  expect_seen (both, 2, 2, 1);
  g_byte_array_unref (both);
  g_byte_array_unref (other);
  g_byte_array_unref (cut);
}

/* After the end mark, until something follows it. */
TEST (test_complete)
{
  struct mlpd_writer *w = begin_log ();
  put_method (w, "a");
  assert_true (mlpd_writer_end (w, 5, 7, NULL));
  GByteArray *log = end_log (w);
  struct seen seen = { 0 };
  const struct live_handler handler = { see_mono, see_ghc, NULL, &seen };
  struct live_feed *feed = live_feed_new (&handler);
  assert_true (live_feed_push (feed, log->data, log->len - 1));
  assert_false (live_feed_is_complete (feed));
  assert_true (live_feed_push (feed, log->data + log->len - 1, 1));
  assert_true (live_feed_is_complete (feed));
  assert_true (live_feed_push (feed, log->data, 10));
  assert_false (live_feed_is_complete (feed));
  live_feed_free (feed);
  g_byte_array_unref (log);
}

/* The feed reports a stream that is no log as its reader alone does. */
TEST (test_odd_streams)
{
  static const struct {
    const char *bytes;
    size_t length;
    bool is_ghc;
  } cases[] = {
    { "a", 1, false },
    { "abc", 3, false },
    { "\x01ZPM", 4, false },
    { "\x01ZPM\x00\x04\x63\x08", 8, false },
    { "\x00\x12\x00\x00\x00\x00", 6, true },
    { "hdrb", 4, true },
    { "hdrbxxxx", 8, true },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const uint8_t *bytes = (const uint8_t *) cases[i].bytes;
    struct seen seen = { 0 };
    const struct live_handler handler = { see_mono, see_ghc, NULL, &seen };
    struct live_feed *feed = live_feed_new (&handler);
    struct mlpd_reader *mono = mlpd_reader_new ();
    struct ghc_reader *ghc = ghc_reader_new ();
    const struct mlpd_item *mono_item;
    const struct ghc_item *ghc_item;
    enum proflog_result result;
    unsigned damages = 0;
    mlpd_reader_push (mono, bytes, cases[i].length);
    mlpd_reader_finish (mono);
    ghc_reader_push (ghc, bytes, cases[i].length);
    ghc_reader_finish (ghc);
    if (cases[i].is_ghc)
      while ((result = ghc_reader_next (ghc, &ghc_item)) == PROFLOG_EVENT)
        damages += ghc_item->type == GHC_ITEM_DAMAGE;
    else
      while ((result = mlpd_reader_next (mono, &mono_item)) == PROFLOG_EVENT)
        damages += mono_item->type == MLPD_ITEM_DAMAGE;
    const bool good = live_feed_push (feed, bytes, cases[i].length) && live_feed_finish (feed);
    if (good != (result == PROFLOG_END) || seen.damages != damages)
      fail_msg ("case %zu: %s, %u damages in place of %u", i, good ? "good" : "an error",
                seen.damages, damages);
    if (!good) {
      const GError *expected = cases[i].is_ghc ? ghc_reader_error (ghc) : mlpd_reader_error (mono);
      assert_string_equal (live_feed_error (feed)->message, expected->message);
      assert_false (live_feed_push (feed, bytes, 1)); /* nor is the rest of it one */
      assert_false (live_feed_finish (feed));
    }
    live_feed_free (feed);
    mlpd_reader_free (mono);
    ghc_reader_free (ghc);
  }
}
