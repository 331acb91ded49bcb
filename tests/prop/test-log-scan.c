/* test-log-scan.c -- how a log is read makes no difference: items one by one, and chunks of any
 * size on any number of threads, give the same report; and so do, of a part of a log, the buffers
 * that may have requested events, and all of them in turn. */
#include "config.h"

#include "decoder/core/timeline.h"
#include "decoder/filter/filter-options.h"
#include "decoder/mlpd/analyses/bins.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/mlpd-check-marks.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/query/select.h"
#include "decoder/views/mlpd/report.h"
#include "tests/prop/random-calls.h"
#include "tests/prop/random-events.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/log-items.h"
#include "tests/unit/random-test.h"
#include "tests/unit/test.h"

#include <proflog/content-sum.h>
#include <proflog/mlpd-encode.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

/* Chunks of a buffer each, of some, of the whole log. */
static const size_t chunks[] = { 160, 700, 4096, 8 << 20 };

/* Sanitizers take five times as long and more; that of threads is of use only where there are
 * several. */
#if defined __SANITIZE_THREAD__
#define ROUNDS 1
#define LONG_ROUNDS 1
#define FEW_PARTS 16
#define SMALL_READS 0
#define DEEP_SCANS 1
static guint64 seed = 1, count = 8;
#elif defined __SANITIZE_ADDRESS__
#define ROUNDS 4
#define LONG_ROUNDS 1
#define FEW_PARTS 4
#define SMALL_READS 1
#define DEEP_SCANS 2
static guint64 seed = 1, count = 16;
#else
#define ROUNDS 30
#define LONG_ROUNDS 3
#define FEW_PARTS 1
#define SMALL_READS 1
#define DEEP_SCANS 5 /* the texts of bins would be too long */
static guint64 seed = 1, count = 75;
#endif
#define MANY_LOGS 4 /* of each log a fourth of the parts */

/* No time of the log is before the one before it on its thread: self times are the spent ones. */
static bool is_in_order;

/* Bins of each log's times. */
static struct scan_bin_spec stacked_bins = { .count = 12, .has_stacks = true };
static struct scan_bin_spec counting_bins = { .count = 7 };

static const struct scan_options wanted[] = {
  { .traces = true },
  { .traces = true, .callers = true, .frames = 3 },
  { .depth = 2 },
  { .call_times = true },
  { .traces = true, .callers = true, .depth = 3, .call_times = true },
  { .bins = &stacked_bins },
  { .bins = &counting_bins },
};

/* ---- reports ---- */

static void
put_stack (GString *out, const struct summary *s, guint node)
{
  const struct call_node *of
      = &g_array_index (SUMMARY_STATE (s, calls)->tree.nodes, struct call_node, node);
  if (node == CALL_TREE_ROOT)
    return;
  put_stack (out, s, of->parent);
  g_autofree char *name = symbols_name (&s->symbols, SYMBOL_METHOD, of->method);
  g_string_append_printf (out, "/%s", name);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Takes the key. */
static void
add_line (GHashTable *lines, char *key, uint64_t a, uint64_t b)
{
  struct type_sum *sum = g_hash_table_lookup (lines, key);
  if (sum == NULL)
    g_hash_table_insert (lines, g_strdup (key), sum = g_new0 (struct type_sum, 1));
  sum->objects += a;
  sum->bytes += b;
  g_free (key);
}

/* The contents of bins, in any order. */
static void
put_bins (GString *out, struct summary *s)
{
  GHashTable *lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const struct timeline_cells *const all = calls_cells (SUMMARY_STATE (s, calls));
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  uint64_t calls = 0, self_ns = 0, wanted_ns = 0;
  if (all != NULL)
    timeline_cells_begin (&cells, all);
  while (all != NULL && timeline_cells_next (&cells, &cell)) {
    GString *key = g_string_new ("calls ");
    put_stack (key, s, cell.row);
    g_string_append_printf (key, " %u %u", cell.begin, cell.end);
    add_line (lines, g_string_free (key, FALSE), cell.count, is_in_order ? cell.amount : 0);
    calls += cell.count;
    self_ns += cell.amount;
  }
  for (guint i = 0; i < SUMMARY_STATE (s, calls)->methods->len; i++)
    wanted_ns += g_array_index (SUMMARY_STATE (s, calls)->methods, struct method_sum, i).self_ns;
  if (all != NULL) {
    assert_int_equal (calls, SUMMARY_STATE (s, calls)->total);
    if (is_in_order)
      assert_int_equal (self_ns, wanted_ns);
  }
  calls = 0;
  for (guint i = 0; i < SUMMARY_STATE (s, bins)->calls->len; i++) {
    const struct scan_binned_enters *of
        = &g_array_index (SUMMARY_STATE (s, bins)->calls, struct scan_binned_enters, i);
    add_line (lines, g_strdup_printf ("enters %u", of->bin), of->calls, 0);
    calls += of->calls;
  }
  assert_int_equal (calls, SUMMARY_STATE (s, calls)->total);
  for (guint i = 0; i < SUMMARY_STATE (s, bins)->types->len; i++) {
    const struct bin_type *of = &g_array_index (SUMMARY_STATE (s, bins)->types, struct bin_type, i);
    g_autofree char *name
        = symbols_name (&s->symbols, SYMBOL_CLASS, type_class (&s->symbols, of->type));
    add_line (lines, g_strdup_printf ("type %s %u", name, of->bin), of->sum.objects, of->sum.bytes);
  }
  for (guint i = 0; i < SUMMARY_STATE (s, bins)->threads->len; i++) {
    const struct bin_thread *of
        = &g_array_index (SUMMARY_STATE (s, bins)->threads, struct bin_thread, i);
    add_line (lines,
              g_strdup_printf ("thread %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %u",
                               of->thread->id, of->thread->start, of->bin),
              of->events, 0);
  }
  /* Of a part of a log, they are those that were read. */
  for (guint i = 0; !s->log.is_part && i < SUMMARY_STATE (s, bins)->buffers->len; i++) {
    const struct scan_binned_buffer *of
        = &g_array_index (SUMMARY_STATE (s, bins)->buffers, struct scan_binned_buffer, i);
    add_line (lines, g_strdup_printf ("buffer %" G_GUINT64_FORMAT, of->offset), of->end, of->begin);
  }
  guint n;
  char **keys = (char **) g_hash_table_get_keys_as_array (lines, &n);
  qsort (keys, n, sizeof *keys, compare_lines);
  for (guint i = 0; i < n; i++) {
    const struct type_sum *sum = g_hash_table_lookup (lines, keys[i]);
    if (sum->objects != 0 || sum->bytes != 0)
      g_string_append_printf (out, "%s: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", keys[i],
                              sum->objects, sum->bytes);
  }
  g_free (keys);
  g_hash_table_unref (lines);
}

/* Everything that a report can decide.  Takes the summary. */
static char *
write_report (struct summary *s, bool good)
{
  GString *out = g_string_new (good ? NULL : "an error\n");
  summary_finish (s);
  if (s->log.has_header) {
    const struct view view
        = { .traces = s->options.traces, .verbose = true, .source = VIEW_SOURCE_CALLS };
    struct emitter *e = emitter_new (EMITTER_JSON, out);
    sections_write (e, REPORT_SCHEMA, "a.mlpd", s, &view, report_sections);
    emitter_free (e);
  }
  if (s->options.bins != NULL)
    put_bins (out, s);
  summary_clear (s);
  return g_string_free (out, FALSE);
}

static char *
report_by_items (const guint8 *bytes, gsize length, gsize read_buffer,
                 const struct scan_options *options)
{
  struct summary s;
  summary_init (&s, options);
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  enum proflog_result result = PROFLOG_NEED_MORE;
  mlpd_reader_verify (reader);
  for (gsize at = 0; result == PROFLOG_NEED_MORE; at += read_buffer) {
    if (at < length)
      mlpd_reader_push (reader, bytes + at, MIN (read_buffer, length - at));
    else
      mlpd_reader_finish (reader);
    while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT)
      summary_item (&s, item);
  }
  mlpd_reader_free (reader);
  return write_report (&s, result == PROFLOG_END);
}

static void
pass_item (void *data, const struct mlpd_item *item)
{
  (void) data;
  (void) item;
}

static void
pass_progress (void *data, uint64_t bytes)
{
  uint64_t *before = data;
  assert_true (bytes >= *before);
  *before = bytes;
}

static char *
report_by_chunks (const char *path, unsigned threads, size_t chunk,
                  const struct scan_options *options)
{
  struct summary s;
  uint64_t progress = 0;
  const struct log_scan_watch watch = { pass_item, pass_progress, &progress };
  struct log_input *input = log_input_open (path, NULL);
  assert_non_null (input);
  summary_init (&s, options);
  GError *error = NULL;
  /* Of one, two, three threads: all at once, in pieces, cut behind each of which something is
   * retained.
   */
  const struct log_scan_sizes sizes = { .chunk = chunk,
                                        .read_buffer = threads == 1 ? 1 << 20 : 1 + chunk / 7,
                                        .retained = threads == 3 ? 0 : 1 << 20 };
  const bool good = log_scan_chunks (&s, input, threads, sizes, &watch, &error);
  assert_true (good == (error == NULL));
  g_clear_error (&error);
  log_input_close (input);
  return write_report (&s, good);
}

static void
expect_same (const char *name, const char *expected, char *found)
{
  if (strcmp (expected, found) != 0) {
    size_t at = 0;
    while (expected[at] == found[at])
      at++;
    const size_t from = at > 200 ? at - 200 : 0;
    fail_msg ("%s: a report has\n%.300s\ninstead of\n%.300s", name, found + from, expected + from);
  }
  g_free (found);
}

/* A file of these bytes; *path for others to open it. */
static int
make_file (const guint8 *bytes, gsize length, char **path)
{
  const int fd = memfd_create ("log", MFD_CLOEXEC);
  assert_true (fd >= 0);
  for (gsize at = 0; at < length;) {
    const ssize_t written = write (fd, bytes + at, length - at);
    assert_true (written > 0);
    at += (gsize) written;
  }
  *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  return fd;
}

/* The bins of this log. */
static void
set_bins (const char *path)
{
  struct summary s;
  struct log_input *input = log_input_open (path, NULL);
  summary_init (&s, NULL);
  log_scan (&s, input, 1, NULL, NULL);
  stacked_bins.zero = counting_bins.zero = s.log.first_time;
  stacked_bins.width = span_ns (s.log.first_time, s.log.last_time) / 11 + 1;
  counting_bins.width = stacked_bins.width / 2 + 1;
  summary_clear (&s);
  log_input_close (input);
}

/* All ways to the report of a log; `thorough`: of all sizes. */
static void
check (const char *name, const guint8 *bytes, gsize length, const struct scan_options *options,
       bool thorough)
{
  char *path;
  const int fd = make_file (bytes, length, &path);
  set_bins (path);
  /* Every call by itself, with all that came before: the sums must be the same. */
  struct scan_options one_by_one = *options;
  one_by_one.replay_calls = true;
  char *expected = report_by_items (bytes, length, length + 1, &one_by_one);
  expect_same (name, expected, report_by_items (bytes, length, length + 1, options));
  if (thorough && SMALL_READS)
    for (gsize read_buffer = 1; read_buffer < 200; read_buffer += 61)
      expect_same (name, expected, report_by_items (bytes, length, read_buffer, options));
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    for (unsigned threads = 1; threads <= 3; threads++)
      if (thorough || (length + i + threads) % 3 == 0)
        expect_same (name, expected, report_by_chunks (path, threads, chunks[i], options));
  g_free (expected);
  g_free (path);
  close (fd);
}

/* ---- parts ---- */

struct part {
  const char *threads; /* %s: an id that the log has; NULL: all */
  const char *times;
};

/* Patterns have the buffers inspected that are not requested, which headers alone do not bound in
 * logs of random times. */
static const struct part parts[] = {
  { "%s,no such*", NULL }, { "*a*,*i*", NULL }, { "no such*", NULL },         { "*", "20%~70%" },
  { "*", "~30%" },         { "*", "1us~2ms" },  { "%s,no such*", "10%~90%" }, { "*r*", "40%~" },
};

/* Parts of logs in which no event is after the time base of its thread's next buffer. */
static const struct part parts_in_order[] = {
  { NULL, "~50%" }, { NULL, "100%~" }, { NULL, "50%~" }, { NULL, "20%~30%" }, { NULL, "99.9%~" },
  { "%s", "~60%" }, { "%s", "60%~" },  { NULL, "~1ms" }, { NULL, "1us~2ms" }, { NULL, "10ms~" },
};

/* A file of the same bytes compressed, which cannot be read anywhere. */
static int
make_compressed_file (const guint8 *bytes, gsize length, char **path)
{
  const uLong room = compressBound (length) + 64;
  guint8 *packed = g_malloc (room);
  z_stream z = { .next_in = (guint8 *) bytes,
                 .avail_in = (uInt) length,
                 .next_out = packed,
                 .avail_out = (uInt) room };
  assert_int_equal (deflateInit2 (&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  assert_int_equal (deflate (&z, Z_FINISH), Z_STREAM_END);
  const int fd = make_file (packed, z.total_out, path);
  deflateEnd (&z);
  g_free (packed);
  return fd;
}

static char *
report_of_part (const char *path, unsigned threads, const struct selection *selection,
                const struct scan_options *options)
{
  struct summary s;
  uint64_t progress = 0;
  const struct log_scan_watch watch = { pass_item, pass_progress, &progress };
  struct log_input *input = log_input_open (path, NULL);
  assert_non_null (input);
  summary_init (&s, options);
  GError *error = NULL;
  const bool good = log_selection_scan (&s, input, threads, selection, &watch, &error);
  g_clear_error (&error);
  log_input_close (input);
  return write_report (&s, good);
}

/* The id of a buffer's thread, in the middle of the log. */
static char *
some_id (const char *path)
{
  uint64_t id = 0;
  struct log_input *input = log_input_open (path, NULL);
  struct buffer_index *index = buffer_index_read (input);
  if (index != NULL)
    id = g_array_index (index->buffers, struct indexed_buffer, index->buffers->len / 2).thread;
  buffer_index_free (index);
  log_input_close (input);
  return g_strdup_printf ("%" G_GUINT64_FORMAT, id);
}

/* A part of a log, read by an index (`path`) and without one (`packed`). */
static void
check_part (const char *name, const char *path, const char *packed, const char *id,
            const struct part *part, guint i)
{
  struct selection selection = { 0 };
  char *threads = part->threads != NULL && g_str_has_prefix (part->threads, "%s")
                      ? g_strconcat (id, part->threads + 2, NULL)
                      : g_strdup (part->threads);
  char *what = g_strdup_printf ("%s, threads %s, times %s", name, threads, part->times);
  assert_true (threads == NULL || selection_thread (&selection, threads, NULL));
  assert_true (part->times == NULL || selection_time_range (&selection, part->times, NULL));
  const struct scan_options *options = &wanted[i % G_N_ELEMENTS (wanted)];
  char *expected = report_of_part (packed, 1, &selection, options);
  expect_same (what, expected, report_of_part (path, 1 + i % 3, &selection, options));
  g_free (expected);
  g_free (what);
  g_free (threads);
  selection_clear (&selection);
}

/* All of them or, where there are many logs, one of `every`; `in_order`: no event is after the
 * time base of its thread's next buffer. */
static void
check_parts (const char *name, const guint8 *bytes, gsize length, guint every, bool in_order)
{
  if (length == 0) /* an input of nothing is an error */
    return;
  char *path, *packed;
  const int fd = make_file (bytes, length, &path);
  const int packed_fd = make_compressed_file (bytes, length, &packed);
  set_bins (path);
  char *id = some_id (path);
  const guint first = (guint) (length % every);
  for (guint i = first; i < G_N_ELEMENTS (parts); i += every)
    check_part (name, path, packed, id, &parts[i], i);
  for (guint i = first; in_order && i < G_N_ELEMENTS (parts_in_order); i += every)
    check_part (name, path, packed, id, &parts_in_order[i], i);
  g_free (id);
  g_free (packed);
  g_free (path);
  close (packed_fd);
  close (fd);
}

/* ---- logs ---- */

struct fixture {
  char *name;
  guint8 *bytes;
  gsize length;
};

static void
test_whole (void **state)
{
  const struct fixture *log = *state;
  is_in_order = true;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    check (log->name, log->bytes, log->length, &wanted[i], i == 0 && log->length < 100000);
  check_parts (log->name, log->bytes, log->length, FEW_PARTS, true);
  is_in_order = false;
}

/* Cut somewhere, changed somewhere, with something left out, followed by another log. */
static void
test_damage (void **state)
{
  const struct fixture *log = *state;
  GRand *rand = g_rand_new_with_seed ((guint32) log->length);
  const gint length = (gint) log->length;
  const int rounds = log->length < 10000 ? ROUNDS : LONG_ROUNDS;
  for (int round = 0; round < rounds; round++) {
    GByteArray *bytes = g_byte_array_new ();
    g_byte_array_append (bytes, log->bytes, (guint) length);
    const guint at = (guint) g_rand_int_range (rand, 0, length);
    switch (round % 5) {
    case 0:
      g_byte_array_set_size (bytes, at);
      break;
    case 1:
      bytes->data[at] = (guint8) g_rand_int_range (rand, 0, 256);
      break;
    case 2:
      g_byte_array_remove_range (bytes, at,
                                 (guint) g_rand_int_range (rand, 0, length - (gint) at + 1));
      break;
    case 3:
      g_byte_array_append (bytes, log->bytes, (guint) length);
      break;
    default:
      g_byte_array_set_size (bytes, at);
      g_byte_array_append (bytes, log->bytes, (guint) length);
      break;
    }
    char *name = g_strdup_printf ("%s, round %d", log->name, round);
    if (bytes->len > 0) /* an input of nothing is an error */
      check (name, bytes->data, bytes->len, &wanted[0], false);
    check_parts (name, bytes->data, bytes->len, MANY_LOGS,
                 round % 5 == 0); /* one that is cut stays in order */
    g_free (name);
    g_byte_array_unref (bytes);
  }
  g_rand_free (rand);
}

/* Something left out, changed or cut. */
static void
damage (GRand *rand, GByteArray *log)
{
  for (int damages = g_rand_int_range (rand, 1, 4); damages > 0; damages--) {
    const guint at = (guint) g_rand_int_range (rand, 0, (gint32) log->len);
    const guint left = log->len - at, removed = (guint) g_rand_int_range (rand, 0, 3000);
    switch (g_rand_int_range (rand, 0, 4)) {
    case 0:
      g_byte_array_remove_range (log, at, MIN (left, removed));
      break;
    case 1:
      if (log->len > 2 * left) /* most stays */
        g_byte_array_set_size (log, MAX (at, 1));
      break;
    default:
      log->data[at] = (guint8) g_rand_int_range (rand, 0, 256);
      break;
    }
    if (log->len == 0)
      g_byte_array_append (log, (const guint8 *) "M", 1);
  }
}

/* The log with a check mark after each buffer. */
static GByteArray *
with_marks (const GByteArray *log)
{
  GByteArray *marked = g_byte_array_new ();
  struct cursor c = cursor_over (log->data, log->len);
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  g_byte_array_append (marked, log->data, (guint) (c.at - log->data));
  for (uint64_t number = 1; c.at < c.end; number++) {
    struct mlpd_buffer_header buffer;
    const uint8_t *const begin = c.at;
    mlpd_decode_buffer_header (&c, &buffer);
    assert_true (c.error == CURSOR_OK && buffer.length <= (gsize) (c.end - c.at));
    c.at += buffer.length;
    struct content_sum sum;
    content_sum_start (&sum);
    content_sum_add (&sum, begin, (gsize) (c.at - begin));
    const struct mlpd_buffer_header mark
        = mlpd_check_mark (buffer.time_base, buffer.thread, content_sum_get (&sum), number);
    guint8 bytes[MLPD_BUFFER_HEADER_SIZE];
    mlpd_put_buffer_header (bytes, &mark);
    g_byte_array_append (marked, begin, (guint) (c.at - begin));
    g_byte_array_append (marked, bytes, sizeof bytes);
  }
  return marked;
}

/* Buffers that decode without an error, with other figures; some lack their mark, or are missing.
 */
static void
test_marks (void **state)
{
  (void) state;
  guint reports = 0;
  for (guint64 i = seed; i < seed + MAX (count / 4, 2); i++) {
    struct random_events random = { .few = i % 8 == 0 ? 3000 : 6 };
    random_events_init (&random, (guint32) i);
    GByteArray *plain = g_byte_array_new ();
    random_log (&random, plain, 20, 40, NULL);
    GByteArray *log = with_marks (plain);
    char *name = g_strdup_printf ("the marked log of seed %" G_GUINT64_FORMAT, i);
    if (i % 4 == 0) {
      check_parts (name, log->data, log->len, MANY_LOGS, false);
    } else {
      const guint at = (guint) g_rand_int_range (random.rand, 100, (gint32) log->len);
      log->data[at] ^= 1;
      if (i % 3 == 0)
        damage (random.rand, log);
    }
    check (name, log->data, log->len, &wanted[i % G_N_ELEMENTS (wanted)], false);
    char *report = report_by_items (log->data, log->len, log->len + 1, &wanted[0]);
    reports += strstr (report, "is not as it was written") != NULL;
    assert_true (i % 4 != 0 || strstr (report, "as it was written") == NULL);
    g_free (report);
    g_free (name);
    g_byte_array_unref (log);
    g_byte_array_unref (plain);
    random_events_clear (&random);
  }
  assert_true (reports > count / 30);
}

static void
test_random (void **state)
{
  (void) state;
  for (guint64 i = seed; i < seed + count; i++) {
    struct random_events random = { .few = i % 8 == 0 ? 3000 : 6 };
    random_events_init (&random, (guint32) i);
    GByteArray *log = g_byte_array_new ();
    random_log (&random, log, i % 4 == 0 ? 4 : 40, i % 4 == 0 ? 400 : 40, NULL);
    if (i % 3 == 0)
      damage (random.rand, log);
    char *name = g_strdup_printf ("the random log of seed %" G_GUINT64_FORMAT, i);
    check (name, log->data, log->len, &wanted[i % G_N_ELEMENTS (wanted)], false);
    check_parts (name, log->data, log->len, MANY_LOGS, false);
    g_free (name);
    g_byte_array_unref (log);
    random_events_clear (&random);
  }
}

static void
test_random_calls (void **state)
{
  (void) state;
  for (guint64 i = seed; i < seed + count; i++) {
    GRand *rand = g_rand_new_with_seed ((guint32) i);
    GByteArray *log = g_byte_array_new ();
    const bool in_order = i % 3 == 0;
    random_calls (rand, log, in_order);
    if (!in_order && g_rand_boolean (rand))
      damage (rand, log);
    char *name = g_strdup_printf ("the random calls of seed %" G_GUINT64_FORMAT, i);
    check (name, log->data, log->len, &wanted[0], false);
    check_parts (name, log->data, log->len, MANY_LOGS, in_order);
    g_free (name);
    g_byte_array_unref (log);
    g_rand_free (rand);
  }
}

/* A thread that only enters: with more open frames than a scan keeps, and than are retained
 * unpacked.
 */
static void
test_deep (void **state)
{
  (void) state;
  enum { BUFFERS = 25, ENTERS = 20000 };
  const struct mlpd_file_header header = { .id = MLPD_FILE_ID,
                                           .data_version = 1,
                                           .pointer_size = 8,
                                           .arguments = { .text = "" },
                                           .architecture = { .text = "" },
                                           .operating_system = { .text = "" } };
  GByteArray *log = g_byte_array_new ();
  guint8 *bytes = g_malloc (mlpd_bound_file_header (&header));
  g_byte_array_append (log, bytes, (guint) (mlpd_put_file_header (bytes, &header) - bytes));
  g_free (bytes);
  for (guint64 i = 0; i < BUFFERS; i++) {
    struct mlpd_encoder encoder;
    const bool leaves = i + 5 >= BUFFERS;
    mlpd_encoder_start (&encoder, 1, 1000 * (i + 1));
    uint8_t *events = g_malloc (ENTERS * mlpd_bound_method_enter (NULL)), *at = events;
    for (guint64 j = 0; j < ENTERS; j++) {
      const uint64_t time = 1000 * (i + 1) + j / 20, method = 0x1000 + 8 * (j % 7);
      if (leaves)
        at = mlpd_put_method_leave (&encoder, at,
                                    &(struct mlpd_method_leave){ .time = time, .method = method });
      else
        at = mlpd_put_method_enter (&encoder, at,
                                    &(struct mlpd_method_enter){ .time = time, .method = method });
    }
    const struct mlpd_buffer_header buffer
        = mlpd_encoder_header (&encoder, 1, (size_t) (at - events));
    guint8 to[MLPD_BUFFER_HEADER_SIZE];
    mlpd_put_buffer_header (to, &buffer);
    g_byte_array_append (log, to, sizeof to);
    g_byte_array_append (log, events, (guint) (at - events));
    g_free (events);
  }
  for (guint i = 0; i < DEEP_SCANS; i++)
    check ("the deep log", log->data, log->len, &wanted[i], false);
  g_byte_array_unref (log);
}

/* The logs of tests/logs whose names end so. */
static void
add_logs (GArray *logs, const char *suffix)
{
  GPtrArray *paths = fixture_paths ("logs", suffix, 15);
  for (guint i = 0; i < paths->len; i++) {
    const char *path = g_ptr_array_index (paths, i);
    GByteArray *bytes = fixture_log (path);
    struct fixture log = { .name = g_path_get_basename (path), .length = bytes->len };
    log.bytes = g_byte_array_free (bytes, FALSE);
    g_array_append_val (logs, log);
  }
  g_ptr_array_unref (paths);
}

int
main (void)
{
  random_test_settings (&seed, &count);
  GArray *logs = g_array_new (FALSE, FALSE, sizeof (struct fixture));
  GArray *tests = g_array_new (FALSE, FALSE, sizeof (struct CMUnitTest));
  add_logs (logs, ".mlpd");
  add_logs (logs, ".mlpd.gz");
  for (guint i = 0; i < logs->len; i++) {
    struct fixture *log = &g_array_index (logs, struct fixture, i);
    const struct CMUnitTest of_log[] = {
      { log->name, test_whole, NULL, NULL, log },
      { log->name, test_damage, NULL, NULL, log },
    };
    g_array_append_vals (tests, of_log, G_N_ELEMENTS (of_log));
  }
  const struct CMUnitTest of_none[]
      = { cmocka_unit_test (test_marks), cmocka_unit_test (test_random),
          cmocka_unit_test (test_random_calls), cmocka_unit_test (test_deep) };
  g_array_append_vals (tests, of_none, G_N_ELEMENTS (of_none));
  int failed = _cmocka_run_group_tests (
      "log-scan", (const struct CMUnitTest *) (void *) tests->data, tests->len, NULL, NULL);
  for (guint i = 0; i < logs->len; i++) {
    struct fixture *log = &g_array_index (logs, struct fixture, i);
    g_free (log->name);
    g_free (log->bytes);
  }
  g_array_free (logs, TRUE);
  g_array_free (tests, TRUE);
  return failed;
}
