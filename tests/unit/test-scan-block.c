/* test-scan-block.c -- whole buffers scanned with and without special instructions, and event by
 * event, come to the same. */
#include "config.h"

#include "decoder/mlpd/scan/scan-block-bmi2.h"
#include "decoder/mlpd/scan/scan-block.h"
#include "decoder/mlpd/scan/scan.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

typedef bool (*scan_whole) (struct scan *, const uint8_t *, size_t, uint64_t);

static const struct scan_options no_options, with_traces = { .traces = true };

/* Scans all buffers of a log by `whole`, or by events if that is NULL. */
static void
scan_log (struct scan *scan, const struct scan_options *options, const uint8_t *bytes,
          size_t length, scan_whole whole)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  scan_init (scan, options);
  mlpd_reader_push (reader, bytes, length);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    switch (item->type) {
    case MLPD_ITEM_FILE_HEADER:
      scan_start (scan, item->header, 0);
      break;
    case MLPD_ITEM_BUFFER:
      scan_buffer (scan, item->buffer, item->offset);
      if (whole != NULL) {
        const uint64_t at = item->offset + item->size;
        assert_true (whole (scan, bytes + at, item->buffer->length, at));
        mlpd_reader_skip_buffer (reader);
      }
      break;
    case MLPD_ITEM_EVENT:
      scan_event (scan, item->kind, item->payload, item->offset, item->size);
      break;
    case MLPD_ITEM_DAMAGE:
      break;
    }
  mlpd_reader_free (reader);
  scan_finish (scan);
}

static void
expect_same_array (const GArray *a, const GArray *b, size_t size)
{
  assert_int_equal (a->len, b->len);
  if (a->len != 0)
    assert_memory_equal (a->data, b->data, a->len * size);
}

/* Types that are not there have nothing. */
static void
expect_same_types (const GArray *a, const GArray *b)
{
  static const struct scan_type none;
  for (guint i = 0; i < MAX (a->len, b->len); i++) {
    const struct scan_type *x = i < a->len ? &g_array_index (a, struct scan_type, i) : &none;
    const struct scan_type *y = i < b->len ? &g_array_index (b, struct scan_type, i) : &none;
    assert_int_equal (x->objects, y->objects);
    assert_int_equal (x->bytes, y->bytes);
  }
}

static void
expect_same_traces (const struct scan *a, const struct scan *b)
{
  assert_int_equal (a->traces.all->len, b->traces.all->len);
  for (guint i = 0; i < a->traces.all->len; i++) {
    guint n_a, n_b;
    const guint *x = traces_frames (&a->traces, i, &n_a), *y = traces_frames (&b->traces, i, &n_b);
    assert_int_equal (n_a, n_b);
    assert_memory_equal (x, y, n_a * sizeof *x);
  }
  assert_int_equal (a->trace_sums.all->len, b->trace_sums.all->len);
  for (guint i = 0; i < a->trace_sums.all->len; i++) {
    const struct trace_sum *x = &g_array_index (a->trace_sums.all, struct trace_sum, i);
    const struct trace_sum *y = &g_array_index (b->trace_sums.all, struct trace_sum, i);
    assert_int_equal (x->key, y->key);
    assert_int_equal (x->trace, y->trace);
    assert_int_equal (x->count, y->count);
    assert_int_equal (x->bytes, y->bytes);
  }
}

static void
expect_same (const struct scan *a, const struct scan *b)
{
  expect_same_traces (a, b);
  expect_same_array (a->methods, b->methods, sizeof (struct scan_method_sum));
  expect_same_types (a->types, b->types);
  assert_memory_equal (a->kinds, b->kinds, sizeof a->kinds);
  assert_int_equal (a->moves, b->moves);
  assert_int_equal (a->n_events, b->n_events);
  assert_int_equal (a->events->len, b->events->len);
  assert_int_equal (a->heaps->len, b->heaps->len);
  for (guint i = 0; i < a->heaps->len; i++) {
    const struct scan_heap *x = &g_array_index (a->heaps, struct scan_heap, i);
    const struct scan_heap *y = &g_array_index (b->heaps, struct scan_heap, i);
    assert_int_equal (x->references, y->references);
    assert_int_equal (x->bytes, y->bytes);
    expect_same_types (x->types, y->types);
  }
  assert_int_equal (a->threads->len, b->threads->len);
  for (guint i = 0; i < a->threads->len; i++) {
    const struct scan_thread *x = &g_array_index (a->threads, struct scan_thread, i);
    const struct scan_thread *y = &g_array_index (b->threads, struct scan_thread, i);
    assert_int_equal (x->events, y->events);
    assert_int_equal (x->n_totals, y->n_totals);
    for (guint k = 0; k < x->n_totals; k++) {
      assert_int_equal (x->totals[k].method, y->totals[k].method);
      assert_int_equal (x->totals[k].level, y->totals[k].level);
      assert_int_equal (x->totals[k].ns, y->totals[k].ns);
    }
    assert_int_equal (x->start, y->start);
    assert_int_equal (x->end, y->end);
    assert_int_equal (x->n_frames, y->n_frames);
  }
}

static void
check_with (const struct scan_options *options, const uint8_t *bytes, size_t length)
{
  struct scan by_event, plain, special;
  scan_log (&by_event, options, bytes, length, NULL);
  scan_log (&plain, options, bytes, length, scan_block_plain);
  expect_same (&by_event, &plain);
  if (scan_has_bmi2 ()) {
    scan_log (&special, options, bytes, length, scan_block_bmi2);
    expect_same (&by_event, &special);
    scan_clear (&special);
  }
  scan_clear (&by_event);
  scan_clear (&plain);
}

static void
check_bytes (const uint8_t *bytes, size_t length)
{
  check_with (&no_options, bytes, length);
  check_with (&with_traces, bytes, length);
}

static void
check_log (const char *path)
{
  char *bytes;
  gsize length;
  assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  check_bytes ((const uint8_t *) bytes, length);
  g_free (bytes);
}

/* Methods and types that are announced between their uses, which gives them other numbers: more
 * than there is room for at first. */
TEST (test_announced_between)
{
  enum { METHOD = 0xa000, TYPE = 0x5000, ROUNDS = 40, CALLS = 50 };
  struct script log;
  uint64_t time = 1000;
  script_begin (&log);
  script_buffer (&log, 7, time);
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (unsigned call = 0; call < CALLS; call++) {
      script_enter (&log, time++, METHOD);
      script_alloc (&log, time++, TYPE, 0x70000 + 64 * call, 24);
      script_enter (&log, time++, METHOD + 8 * round);
      script_leave (&log, time++, METHOD + 8 * round);
      script_leave (&log, time++, METHOD);
    }
    script_jit (&log, time++, METHOD, 0x90000, 16, "Method:Again ()");
    script_class (&log, time++, TYPE, "Again");
  }
  GByteArray *bytes = script_end (&log);
  check_bytes (bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

/* Calls of so many methods that the sums of other threads are not retained: a thread that comes
 * back begins with the leave of a frame that was open. */
TEST (test_many_methods)
{
  enum { METHOD = 0xa000, METHODS = 70000 };
  struct script log;
  uint64_t time = 1000;
  script_begin (&log);
  script_buffer (&log, 7, time);
  script_enter (&log, time++, METHOD);
  script_enter (&log, time++, METHOD);
  script_buffer (&log, 8, time);
  for (unsigned i = 0; i < METHODS; i++) {
    script_enter (&log, time++, METHOD + 8 * i);
    script_leave (&log, time++, METHOD + 8 * i);
  }
  script_buffer (&log, 7, time);
  script_leave (&log, time++, METHOD);
  script_leave (&log, time++, METHOD);
  GByteArray *bytes = script_end (&log);
  check_bytes (bytes->data, bytes->len);

  struct scan scan;
  scan_log (&scan, &no_options, bytes->data, bytes->len, scan_block_plain);
  const struct scan_method_sum *sum = &g_array_index (scan.methods, struct scan_method_sum, 0);
  assert_int_equal (sum->calls, 3);
  assert_int_equal (sum->self_ns, 1 + 1 + 2 * METHODS + 1 + 1);
  const struct scan_thread *t = &g_array_index (scan.threads, struct scan_thread, 0);
  assert_int_equal (t->n_totals, 1);
  assert_int_equal (t->totals[0].ns, 2 * METHODS + 3);
  scan_clear (&scan);
  g_byte_array_unref (bytes);
}

/* The logs of every data version. */
TEST (test_logs)
{
  GPtrArray *paths = fixture_paths ("logs", ".mlpd", 17);
  for (guint i = 0; i < paths->len; i++)
    check_log (g_ptr_array_index (paths, i));
  g_ptr_array_unref (paths);
}

#define TYPE UINT64_C (0x5000)

static void
alloc_of_type (struct script *log, uint64_t time, uint64_t type, const uint64_t *frames, size_t n)
{
  const union mlpd_payload payload = { .alloc = { .time = time,
                                                  .klass = type,
                                                  .vtable = type,
                                                  .object = 0x70000 + 8 * time,
                                                  .size = 24,
                                                  .backtrace = { .items = frames, .count = n } } };
  script_event (log, MLPD_ALLOC, &payload);
}

static void
alloc_with_trace (struct script *log, uint64_t time, const uint64_t *frames, size_t n)
{
  alloc_of_type (log, time, TYPE, frames, n);
}

/* Backtraces that come again, in buffers of several threads, before and after their methods are
 * announced again: few ones, and more than are retained. */
static void
check_traces (unsigned version, unsigned traces, unsigned frames)
{
  enum { METHOD = 0xa000, ROUNDS = 3 };
  struct script log;
  uint64_t time = 1000, *addresses = g_new (uint64_t, frames);
  script_begin_version (&log, version);
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned trace = 0; trace < traces; trace++) {
      if (trace % 500 == 0)
        script_buffer (&log, 7 + trace / 500 % 3, time);
      for (unsigned i = 0; i < frames; i++)
        addresses[i] = METHOD + 8 * ((trace + 1) * (i + 1) * (i + 7) % 4001);
      alloc_with_trace (&log, time++, addresses, trace % (frames + 1));
      alloc_with_trace (&log, time++, addresses, frames);
      alloc_with_trace (&log, time++, addresses, frames);
      if (trace % 100 == 99)
        script_jit (&log, time++, addresses[0], 0x90000, 16, "Method:Again ()");
    }
  GByteArray *bytes = script_end (&log);
  check_bytes (bytes->data, bytes->len);
  g_byte_array_unref (bytes);
  g_free (addresses);
}

/* Backtraces whose frames lie alike at different places: where each counts from the one before, or
 * from a base of the buffer, their bytes are the same.  More than are retained, so that some meet.
 */
static void
check_alike_traces (unsigned version)
{
  enum { METHOD = 0xa000, TRACES = 20000, TRACES_IN_BUFFER = 4 };
  struct script log;
  uint64_t time = 1000;
  script_begin_version (&log, version);
  for (unsigned trace = 0; trace < TRACES; trace++) {
    if (trace % TRACES_IN_BUFFER == 0)
      script_buffer (&log, 7, time);
    const uint64_t at = METHOD + 64 * trace, frames[] = { at, at + 8, at + 24, at + 16 };
    alloc_with_trace (&log, time++, frames, G_N_ELEMENTS (frames));
  }
  GByteArray *bytes = script_end (&log);
  check_bytes (bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

/* Objects of many types at one place: so many that some of them meet. */
static void
check_many_types (unsigned version)
{
  enum { TYPES = 2000, ROUNDS = 2 };
  static const uint64_t frames[] = { 0xa000, 0xa100, 0xa200, 0xa300 };
  struct script log;
  uint64_t time = 1000;
  script_begin_version (&log, version);
  script_buffer (&log, 7, time);
  for (unsigned i = 0; i < ROUNDS * TYPES; i++)
    alloc_of_type (&log, time++, TYPE + 8 * (i % TYPES), frames, G_N_ELEMENTS (frames));
  GByteArray *bytes = script_end (&log);
  check_bytes (bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

TEST (test_traces)
{
  for (unsigned version = 1; version <= MLPD_VERSION_LAST; version += 4) {
    check_traces (version, 2000, 3);
    check_alike_traces (version);
    check_many_types (version);
  }
  check_traces (1, 5000, 100);
  check_traces (MLPD_VERSION_BULK, 2000, 3);
  check_traces (MLPD_VERSION_LAST, 5000, 100);
}

/* Logs of the versions that are recorded most have loops of their own, whatever the last version
 * is: the stock profiler of Mono 6 writes 17, the module 1. */
TEST (test_loop_versions)
{
  assert_int_equal (scan_block_loop_version (1), 1);
  assert_int_equal (scan_block_loop_version (17), MLPD_VERSION_LAST);
  for (unsigned version = 2; version < MLPD_VERSION_BULK; version++)
    assert_int_equal (scan_block_loop_version (version), 0);
  for (unsigned version = MLPD_VERSION_BULK; version <= MLPD_VERSION_LAST; version++)
    assert_int_equal (scan_block_loop_version (version), MLPD_VERSION_LAST);
}

/* A backtrace that is declared to have more frames than the buffer has bytes, after good ones. */
TEST (test_endless_backtrace)
{
  enum { EVENTS = 20, ROOM = 1000 };
  /* ALLOC with a backtrace, 1,000 ns later: vtable, object, 24 bytes, three frames. */
  static const uint8_t good[] = { 0x10, 0xe8, 0x07, 0, 1, 24, 3, 5, 0, 0x7b };
  static const uint8_t bad[]
      = { 0x10, 0xe8, 0x07, 0, 1, 24, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f };
  static const scan_whole wholes[] = { scan_block_plain, scan_block_bmi2 };
  const struct mlpd_file_header header = { .data_version = 17, .pointer_size = 8 };
  uint8_t bytes[EVENTS * sizeof good + sizeof bad + ROOM] = { 0 };
  for (int i = 0; i < EVENTS; i++)
    memcpy (bytes + (size_t) i * sizeof good, good, sizeof good);
  memcpy (bytes + EVENTS * sizeof good, bad, sizeof bad);
  alarm (60);
  for (int i = 0; i < (scan_has_bmi2 () ? 2 : 1); i++)
    for (int has_bad = 0; has_bad < 2; has_bad++) {
      const size_t length = has_bad ? sizeof bytes : EVENTS * sizeof good;
      const struct mlpd_buffer_header buffer
          = { .id = MLPD_BUFFER_ID, .length = (uint32_t) length };
      struct scan scan;
      scan_init (&scan, &no_options);
      scan_start (&scan, &header, 0);
      scan_buffer (&scan, &buffer, 0);
      assert_int_equal (wholes[i](&scan, bytes, length, MLPD_BUFFER_HEADER_SIZE), !has_bad);
      if (!has_bad)
        assert_int_equal (scan.n_events, EVENTS);
      scan_finish (&scan);
      scan_clear (&scan);
    }
  alarm (0);
}
