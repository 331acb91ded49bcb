/* test-ghc-order.c -- random eventlogs come in the order of a stable sort of the reader's items by
 * time, however they are divided; whole, cut and damaged.
 *
 * PROFLOG_TEST_SEED and PROFLOG_TEST_COUNT (random logs) override the defaults.
 */
#include "config.h"

#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/ghc/index/ghc-order.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/random-test.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_THREAD__
static guint64 seed = 1, count = 100; /* it takes ten times as long */
#else
static guint64 seed = 1, count = 400;
#endif
RANDOM_TEST (seed, count)

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

/* ---- the reader's items, sorted ---- */

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
put_damage (const struct ghc_item *item, GString *reports)
{
  g_string_append_printf (reports, "%" G_GUINT64_FORMAT " %s\n", item->damage->skipped,
                          item->damage->message);
}

/* Everything at once; damage and errors are distinguished. */
static GString *
sort_all (const GByteArray *log, GString *reports, guint64 from, guint64 to)
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
      put_damage (item, reports);
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
    g_string_append_printf (reports, "error %s\n", ghc_reader_error (reader)->message);
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
handle_item (void *data, const struct ghc_item *item, GString *text)
{
  (void) data;
  put_line (item, text);
}

static bool
wants_kind (const void *data, enum ghc_kind kind)
{
  (void) data;
  (void) kind;
  return true;
}

static bool
take_item (void *data, const struct ghc_item *item)
{
  put_line (item, data);
  return true;
}

/* How the log comes. */
struct manner {
  bool reads;   /* a reader reads it, and the chunks are made of its items and spans */
  size_t piece; /* bytes of a piece for the reader */
  bool takes;   /* the events come one by one */
};

/* All that the reader has. */
static enum proflog_result
note_items (struct ghc_chunks_builder *builder, struct ghc_reader *reader,
            struct ghc_summary *summary)
{
  const struct ghc_item *item;
  enum proflog_result result;
  struct ghc_span span;
  do {
    if (ghc_span_of (reader, &span)) {
      ghc_summary_span (summary, &span);
      ghc_chunks_span (builder, &span);
      ghc_span_pass (reader, &span);
    }
    result = ghc_reader_next (reader, &item);
    if (result == PROFLOG_EVENT) {
      ghc_summary_item (summary, item);
      ghc_chunks_item (builder, item);
    }
  } while (result == PROFLOG_EVENT);
  return result;
}

/* As ghc_chunks_init. */
static bool
read_chunks (struct ghc_chunks *chunks, const GByteArray *log, size_t chunk_bytes, size_t piece,
             const struct ghc_chunks_watch *watch, GError **error)
{
  struct ghc_chunks_builder builder;
  struct ghc_summary summary;
  struct ghc_reader *reader = ghc_reader_new ();
  enum proflog_result result = PROFLOG_NEED_MORE;
  ghc_summary_init (&summary, &(struct ghc_times){ 0, UINT64_MAX }, 0);
  ghc_chunks_begin (&builder, chunks, log->len, chunk_bytes, watch);
  for (size_t at = 0; at < log->len && result == PROFLOG_NEED_MORE; at += piece) {
    ghc_reader_push (reader, log->data + at, MIN (piece, log->len - at));
    result = note_items (&builder, reader, &summary);
  }
  if (result == PROFLOG_NEED_MORE) {
    ghc_reader_finish (reader);
    result = note_items (&builder, reader, &summary);
  }
  ghc_chunks_end (&builder);
  if (result == PROFLOG_ERROR)
    *error = g_error_copy (ghc_reader_error (reader));
  ghc_reader_free (reader);
  ghc_summary_clear (&summary);
  return result != PROFLOG_ERROR;
}

static GString *
put_in_order (const GByteArray *log, GString *reports, size_t chunk_bytes,
              const struct ghc_order_options *options, const struct manner *manner)
{
  GError *error = NULL;
  GString *text = g_string_new (NULL);
  const struct ghc_chunks_watch watch
      = { .item = watch_item, .progress = watch_progress, .data = reports };
  const struct ghc_order_sink texts = { .item = handle_item, .write = move_text, .data = text };
  const struct ghc_order_sink taker = { .data = text, .wants = wants_kind, .take = take_item };
  struct log_input *input = fixture_input (log->data, log->len);
  struct ghc_chunks chunks;
  assert_true (log_input_make_seekable (input, &error));
  if (!(manner->reads ? read_chunks (&chunks, log, chunk_bytes, manner->piece, &watch, &error)
                      : ghc_chunks_init (&chunks, input, chunk_bytes, &watch, &error))) {
    g_string_append_printf (reports, "error %s\n", error->message);
    g_clear_error (&error);
  }
  for (guint i = 0; i < chunks.parts->len; i++) {
    g_string_append (text, "log\n");
    assert_true (ghc_order_events (&chunks, &g_array_index (chunks.parts, struct ghc_part, i),
                                   input, options, manner->takes ? &taker : &texts));
  }
  ghc_chunks_clear (&chunks);
  log_input_close (input);
  return text;
}

static void
check_log (GRand *random, const GByteArray *log)
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
  GString *reports = g_string_new (NULL), *expected_reports = g_string_new (NULL);
  GString *expected = sort_all (log, expected_reports, options.from, options.to);
  const size_t chunk_bytes = (size_t) 1 << g_rand_int_range (random, 3, 16);
  const struct manner manner = { .reads = g_rand_boolean (random),
                                 .piece = (size_t) g_rand_int_range (random, 1, 5000),
                                 .takes = g_rand_boolean (random) };
  GString *text = put_in_order (log, reports, chunk_bytes, &options, &manner);
  assert_string_equal (reports->str, expected_reports->str);
  assert_string_equal (text->str, expected->str);
  g_string_free (text, TRUE);
  g_string_free (expected, TRUE);
  g_string_free (reports, TRUE);
  g_string_free (expected_reports, TRUE);
}

TEST (test_random_logs)
{
  for (guint64 i = 0; i < count; i++) {
    const guint32 this_seed = (guint32) (seed + i);
    GRand *random = g_rand_new_with_seed (this_seed);
    GByteArray *log = make_random_file (random);
    print_message ("seed %u: %u bytes\n", this_seed, log->len);
    check_log (random, log);
    g_byte_array_unref (log);
    g_rand_free (random);
  }
}

/* ---- files that fail ---- */

/* The change of the file when the first block was inspected. */
struct trouble {
  const struct log_input *input;
  gssize length; /* the file's from then on; < 0: reading fails */
  guint steps;
  GString *reports;
};

static void
watch_trouble_item (void *data, const struct ghc_item *item)
{
  struct trouble *t = data;
  watch_item (t->reports, item);
}

static void
make_trouble (void *data, uint64_t bytes)
{
  struct trouble *t = data;
  (void) bytes;
  if (t->steps++ != 0)
    return;
  if (t->length < 0)
    fixture_fail_reads (t->input);
  else
    fixture_truncate (t->input, (gsize) t->length);
}

/* A log of three blocks, and where its events end. */
static GByteArray *
make_plain_log (guint *end)
{
  GByteArray *log = g_byte_array_new ();
  put_header (log);
  for (guint64 block = 0; block < 3; block++) {
    ghc_put_block (log, 24 + 2 * 10, 100 * block + 1, 100 * block + 50, 0);
    ghc_put_event (log, TAG_START, 100 * block + 10);
    ghc_put_event (log, TAG_END, 100 * block + 20);
  }
  *end = log->len;
  ghc_put (log, GHC_DATA_END, 2);
  return log;
}

/* Inspects the log, which gets into trouble, and puts its events in order; damage of the log as of
 * its file. */
static guint64
order_in_trouble (const GByteArray *log, gssize length, GString *text, GString *reports)
{
  const struct ghc_order_options options = { .to = G_MAXUINT64, .threads = 2 };
  const struct ghc_order_sink sink = { .item = handle_item, .write = move_text, .data = text };
  struct log_input *input = fixture_input (log->data, log->len);
  struct trouble trouble = { .input = input, .length = length, .reports = reports };
  const struct ghc_chunks_watch watch
      = { .item = watch_trouble_item, .progress = make_trouble, .data = &trouble };
  struct ghc_chunks chunks;
  assert_true (ghc_chunks_init (&chunks, input, 8, &watch, NULL));
  assert_int_equal (chunks.parts->len, 1);
  const struct ghc_part *part = &g_array_index (chunks.parts, struct ghc_part, 0);
  const guint64 events = part->events;
  assert_true (ghc_order_events (&chunks, part, input, &options, &sink));
  const struct log_file_damage *damage = log_input_damage (input);
  assert_non_null (damage);
  assert_true (damage->is_read_error);
  g_string_append (reports, damage->message);
  ghc_chunks_clear (&chunks);
  log_input_close (input);
  return events;
}

static guint
count_lines (const GString *text)
{
  guint lines = 0;
  for (gsize i = 0; i < text->len; i++)
    lines += text->str[i] == '\n';
  return lines;
}

/* The blocks are in memory when reading fails: they are known, but neither the end nor, later, the
 * events can be read.  That is reported with its place; the header is not needed again. */
TEST (test_read_error)
{
  guint end;
  GByteArray *log = make_plain_log (&end);
  GString *text = g_string_new (NULL), *reports = g_string_new (NULL);
  assert_int_equal (order_in_trouble (log, -1, text, reports), 9);
  assert_string_equal (text->str, "");
  assert_non_null (strstr (reports->str, "no end mark"));
  char *place = g_strdup_printf ("reading it at offset %u failed", end);
  assert_non_null (strstr (reports->str, place));
  g_free (place);
  g_string_free (text, TRUE);
  g_string_free (reports, TRUE);
  g_byte_array_unref (log);
}

/* The same of a file that becomes shorter: events come as far as they are there. */
TEST (test_shorter)
{
  guint end;
  GByteArray *log = make_plain_log (&end);
  const guint block = 24 + 2 * 10;
  for (guint kept = 0; kept <= 3; kept++) {
    GString *text = g_string_new (NULL), *reports = g_string_new (NULL);
    const guint length = end - (3 - kept) * block;
    assert_int_equal (order_in_trouble (log, (gssize) length, text, reports), 9);
    assert_int_equal (count_lines (text), 3 * kept);
    char *sizes = g_strdup_printf ("from %u to %u bytes", log->len, length);
    assert_non_null (strstr (reports->str, sizes));
    g_free (sizes);
    g_string_free (text, TRUE);
    g_string_free (reports, TRUE);
  }
  g_byte_array_unref (log);
}
