/* test-ghc-order.c -- random eventlogs come in the order that a stable sort by time of what the
 * reader gives has, however they are divided; whole, cut and damaged.
 *
 * PROFLOG_TEST_SEED and PROFLOG_TEST_COUNT (random logs) override the defaults.
 */
#include "decoder/analyses/ghc-order.h"
#include "tests/unit/ghc-items.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static guint32 seed = 1;
#ifdef __SANITIZE_THREAD__
static guint count = 100; /* it takes ten times as long */
#else
static guint count = 400;
#endif

/* ---- random logs ---- */

enum {
  TAG_RUN = 1,
  TAG_START = 9,
  TAG_END = 10,
  TAG_STARTUP = 17,
  TAG_MESSAGE = 19,
  TAG_NEW = 300,
};

static void
put_header (GByteArray *log)
{
  ghc_put_header_begin (log);
  ghc_put_type (log, 18, 14, "Block marker");
  ghc_put_type (log, TAG_RUN, 4, "Run thread");
  ghc_put_type (log, TAG_START, 0, "Starting GC");
  ghc_put_type (log, TAG_END, 0, "Finished GC");
  ghc_put_type (log, TAG_STARTUP, 2, "Create capabilities");
  ghc_put_type (log, TAG_MESSAGE, 0xffff, "User message");
  ghc_put_type (log, TAG_NEW, 0xffff, "Something new");
  ghc_put_header_end (log);
}

static void
put_random_event (GRand *random, GByteArray *log, guint64 time)
{
  static const guint tags[] = { TAG_RUN, TAG_START, TAG_END, TAG_MESSAGE, TAG_NEW };
  const guint tag = tags[g_rand_int_range (random, 0, G_N_ELEMENTS (tags))];
  ghc_put_event (log, tag, time);
  if (tag == TAG_RUN)
    ghc_put (log, g_rand_int (random), 4);
  if (tag < TAG_MESSAGE)
    return;
  const gint most = g_rand_int_range (random, 0, 40) == 0 ? 3000 : 20;
  const gint length = g_rand_int_range (random, 0, most);
  ghc_put (log, (guint64) length, 2);
  for (gint i = 0; i < length; i++)
    ghc_put (log, (guint64) g_rand_int_range (random, 0, 256), 1);
}

/* Events of a block, whose clock goes on from `*clock` in steps up to `step`; sometimes it goes
 * back, and with `wild` it jumps. */
static void
put_random_block (GRand *random, GByteArray *log, guint64 *clock, gint step, gboolean wild)
{
  GByteArray *events = g_byte_array_new ();
  const guint64 begin = *clock;
  guint64 latest = begin;
  for (gint n = g_rand_int_range (random, 0, 60); n > 0; n--) {
    guint64 time = *clock;
    if (g_rand_int_range (random, 0, 8) == 0)
      time -= MIN (time, (guint64) g_rand_int_range (random, 0, 3 * step + 1));
    if (wild)
      time = begin + (guint64) g_rand_int_range (random, 0, 1000000);
    put_random_event (random, events, time);
    latest = MAX (latest, time);
    *clock += (guint64) g_rand_int_range (random, 0, step + 1);
  }
  const gint cap = g_rand_int_range (random, 0, 5);
  ghc_put_block (log, 24 + events->len, begin, MAX (latest, *clock),
                 cap < 4 ? (guint) cap : GHC_NO_CAP);
  g_byte_array_append (log, events->data, events->len);
  g_byte_array_unref (events);
}

static void
put_random_log (GRand *random, GByteArray *log)
{
  guint64 clocks[4] = { 1, 1, 1, 1 };
  const gint step = 1 << g_rand_int_range (random, 0, 14);
  const gboolean wild = g_rand_int_range (random, 0, 6) == 0;
  put_header (log);
  if (g_rand_boolean (random)) {
    ghc_put_event (log, TAG_STARTUP, (guint64) g_rand_int_range (random, 0, 100000));
    ghc_put (log, 4, 2);
  }
  for (gint n = g_rand_int_range (random, 0, 40); n > 0; n--)
    put_random_block (random, log, &clocks[g_rand_int_range (random, 0, 4)], step, wild);
  ghc_put (log, GHC_DATA_END, 2);
}

/* One log in a file, mostly, and mostly a good one. */
static GByteArray *
make_random_file (GRand *random)
{
  GByteArray *log = g_byte_array_new ();
  do
    put_random_log (random, log);
  while (g_rand_int_range (random, 0, 5) == 0);
  if (g_rand_int_range (random, 0, 3) == 0)
    for (gint n = g_rand_int_range (random, 1, 4); n > 0; n--)
      log->data[g_rand_int_range (random, 0, (gint) log->len)]
          ^= (guint8) g_rand_int_range (random, 1, 256);
  if (g_rand_int_range (random, 0, 4) == 0)
    g_byte_array_set_size (log, (guint) g_rand_int_range (random, 1, (gint) log->len));
  return log;
}

/* ---- what the reader gives, sorted ---- */

struct noted {
  guint64 time;
  guint place; /* of equal times the first comes first */
  char *line;
};

static int
compare_noted (const void *a, const void *b)
{
  const struct noted *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static void
put_line (const struct ghc_item *item, GString *text)
{
  g_string_append_printf (text,
                          "%" G_GUINT64_FORMAT " @%" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT
                          " cap %u tag %u kind %u bytes %" G_GSIZE_FORMAT " %u\n",
                          item->time, item->offset, item->size, item->cap, item->event_type->tag,
                          item->kind, item->bytes.length,
                          item->bytes.length != 0 ? (guint8) item->bytes.text[0] : 0);
}

static void
flush_noted (GArray *events, GString *text)
{
  if (events->len != 0)
    qsort (events->data, events->len, sizeof (struct noted), compare_noted);
  for (guint i = 0; i < events->len; i++) {
    struct noted *noted = &g_array_index (events, struct noted, i);
    g_string_append (text, noted->line);
    g_free (noted->line);
  }
  g_array_set_size (events, 0);
}

static void
put_damage (const struct ghc_item *item, GString *told)
{
  g_string_append_printf (told, "%" G_GUINT64_FORMAT " %s\n", item->damage->skipped,
                          item->damage->message);
}

/* Everything at once; damage and errors are told apart. */
static GString *
sort_all (const GByteArray *log, GString *told, guint64 from, guint64 to)
{
  struct ghc_reader *reader = ghc_reader_new ();
  GArray *events = g_array_new (FALSE, FALSE, sizeof (struct noted));
  GString *text = g_string_new (NULL);
  const struct ghc_item *item;
  enum proflog_result result;
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  while ((result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT) {
    if (item->type == GHC_ITEM_DAMAGE)
      put_damage (item, told);
    if (item->type == GHC_ITEM_HEADER) {
      flush_noted (events, text);
      g_string_append (text, "log\n");
    }
    if (item->type != GHC_ITEM_EVENT || item->time < from || item->time > to)
      continue;
    GString *line = g_string_new (NULL);
    put_line (item, line);
    const struct noted noted = { item->time, events->len, g_string_free (line, FALSE) };
    g_array_append_val (events, noted);
  }
  flush_noted (events, text);
  if (result == PROFLOG_ERROR)
    g_string_append_printf (told, "error %s\n", ghc_reader_error (reader)->message);
  g_array_unref (events);
  ghc_reader_free (reader);
  return text;
}

/* ---- the same in order ---- */

static void
watch_item (void *data, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_DAMAGE)
    put_damage (item, data);
}

static void
watch_progress (void *data, uint64_t bytes)
{
  (void) data;
  (void) bytes;
}

static void
take_item (void *data, const struct ghc_item *item, GString *text)
{
  (void) data;
  put_line (item, text);
}

static bool
take_text (void *data, GString *text)
{
  g_string_append_len (data, text->str, (gssize) text->len);
  g_string_truncate (text, 0);
  return true;
}

static GString *
put_in_order (const char *path, GString *told, size_t chunk_bytes,
              const struct ghc_order_options *options)
{
  GError *error = NULL;
  GString *text = g_string_new (NULL);
  const struct ghc_chunks_watch watch = { watch_item, watch_progress, told };
  const struct ghc_order_sink sink = { take_item, take_text, text };
  struct log_input *input = log_input_open (path, &error);
  struct ghc_chunks chunks;
  assert_non_null (input);
  assert_true (log_input_spool (input, &error));
  if (!ghc_chunks_init (&chunks, input, chunk_bytes, &watch, &error)) {
    g_string_append_printf (told, "error %s\n", error->message);
    g_clear_error (&error);
  }
  for (guint i = 0; i < chunks.parts->len; i++) {
    g_string_append (text, "log\n");
    assert_true (ghc_order_events (&chunks, &g_array_index (chunks.parts, struct ghc_part, i),
                                   input, options, &sink));
  }
  ghc_chunks_clear (&chunks);
  log_input_close (input);
  return text;
}

static void
check_log (GRand *random, const GByteArray *log, const char *path)
{
  struct ghc_order_options options
      = { .to = G_MAXUINT64,
          .threads = (unsigned) g_rand_int_range (random, 1, 5),
          .window_bytes = (size_t) 1 << g_rand_int_range (random, 0, 14),
          .window_most = (size_t) 1 << g_rand_int_range (random, 5, 16) };
  if (g_rand_int_range (random, 0, 4) == 0)
    options.from = (guint64) g_rand_int_range (random, 0, 30000);
  if (g_rand_int_range (random, 0, 4) == 0)
    options.to = options.from + (guint64) g_rand_int_range (random, 0, 30000);
  GString *told = g_string_new (NULL), *expected_told = g_string_new (NULL);
  GString *expected = sort_all (log, expected_told, options.from, options.to);
  const size_t chunk_bytes = (size_t) 1 << g_rand_int_range (random, 3, 16);
  GString *text = put_in_order (path, told, chunk_bytes, &options);
  assert_string_equal (told->str, expected_told->str);
  assert_string_equal (text->str, expected->str);
  g_string_free (text, TRUE);
  g_string_free (expected, TRUE);
  g_string_free (told, TRUE);
  g_string_free (expected_told, TRUE);
}

static void
test_random_logs (void **state)
{
  char *path;
  const int fd = g_file_open_tmp ("proflog-order-XXXXXX", &path, NULL);
  (void) state;
  assert_true (fd >= 0);
  for (guint i = 0; i < count; i++) {
    GRand *random = g_rand_new_with_seed (seed + i);
    GByteArray *log = make_random_file (random);
    assert_int_equal (ftruncate (fd, 0), 0);
    assert_int_equal (pwrite (fd, log->data, log->len, 0), log->len);
    print_message ("seed %u: %u bytes\n", seed + i, log->len);
    check_log (random, log, path);
    g_byte_array_unref (log);
    g_rand_free (random);
  }
  close (fd);
  g_unlink (path);
  g_free (path);
}

int
main (void)
{
  const char *text = g_getenv ("PROFLOG_TEST_SEED");
  if (text != NULL)
    seed = (guint32) g_ascii_strtoull (text, NULL, 10);
  text = g_getenv ("PROFLOG_TEST_COUNT");
  if (text != NULL)
    count = (guint) g_ascii_strtoull (text, NULL, 10);
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_random_logs) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
