/* test-mlpd-writer.c -- logs written from nothing: bytes computed by hand, buffers, marks, errors.
 */
#include "config.h"

#include "tests/unit/test.h"

#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-writer.h>
#include <string.h>

/* A writer whose header was taken. */
static struct mlpd_writer *
new_writer (uint8_t version)
{
  const struct mlpd_file_header header = { .data_version = version, .pointer_size = 8 };
  struct mlpd_writer *w = mlpd_writer_new ();
  size_t length;
  assert_true (mlpd_writer_header (w, &header, NULL));
  mlpd_writer_take (w, &length);
  assert_int_equal (length, 32);
  return w;
}

/* The bytes that can be taken are these, in hex. */
static void
expect_bytes (struct mlpd_writer *w, const char *hex)
{
  size_t length;
  const uint8_t *bytes = mlpd_writer_take (w, &length);
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  assert_string_equal (text->str, hex);
  g_string_free (text, TRUE);
}

static void
write_event (struct mlpd_writer *w, enum mlpd_kind kind, union mlpd_payload payload)
{
  assert_true (mlpd_writer_event (w, kind, &payload, NULL));
}

static void
refuse_event (struct mlpd_writer *w, enum mlpd_kind kind, union mlpd_payload payload,
              enum mlpd_writer_error code, const char *message)
{
  GError *error = NULL;
  assert_false (mlpd_writer_event (w, kind, &payload, &error));
  assert_true (g_error_matches (error, MLPD_WRITER_ERROR, (gint) code));
  assert_string_equal (error->message, message);
  g_clear_error (&error);
}

/* A magic number, versions, pointer size, start in ms, overhead, flags, pid, port, system. */
TEST (test_header)
{
  const struct mlpd_file_header header = { .minor = 4,
                                           .data_version = 1,
                                           .pointer_size = 8,
                                           .start_ms = 0x0102,
                                           .timer_overhead_ns = 3,
                                           .pid = 0x0405,
                                           .system = 62 };
  struct mlpd_writer *w = mlpd_writer_new ();
  assert_true (mlpd_writer_header (w, &header, NULL));
  expect_bytes (w, "015a504d"
                   "00040108"
                   "0201000000000000"
                   "03000000"
                   "00000000"
                   "05040000"
                   "0000"
                   "3e00");
  expect_bytes (w, ""); /* it was taken */
  mlpd_writer_free (w);
}

/* The class and the first object are the bases; the next object is 16 bytes after that. */
TEST (test_buffer)
{
  struct mlpd_writer *w = new_writer (1);
  const union mlpd_payload first = { .alloc = { 1001, 0x2000, 0, 0x3000, 24, { NULL, 0 } } };
  const union mlpd_payload second = { .alloc = { 1201, 0x1ff0, 0, 0x3010, 200, { NULL, 0 } } };
  assert_true (mlpd_writer_begin_buffer (w, 7, 1000, NULL));
  write_event (w, MLPD_ALLOC, first);
  write_event (w, MLPD_ALLOC, second);
  expect_bytes (w, ""); /* the buffer is open */
  mlpd_writer_end_buffer (w);
  expect_bytes (w, "014c504d"
                   "0c000000"
                   "e803000000000000"
                   "0020000000000000"
                   "0006000000000000"
                   "0700000000000000"
                   "0000000000000000"
                   "00"
                   "01"
                   "00"
                   "00"
                   "18"
                   "00"
                   "c801"
                   "70"
                   "02"
                   "c801");
  mlpd_writer_free (w);
}

/* Each buffer has bases of its own: the same method is written as 0 again. */
TEST (test_bases_of_buffers)
{
  struct mlpd_writer *w = new_writer (17);
  const union mlpd_payload enter = { .method_enter = { 5, 0x40 } };
  for (int i = 0; i < 2; i++) {
    assert_true (mlpd_writer_begin_buffer (w, 1, 5, NULL));
    write_event (w, MLPD_METHOD_ENTER, enter);
    mlpd_writer_end_buffer (w);
    expect_bytes (w, "014c504d"
                     "03000000"
                     "0500000000000000"
                     "0000000000000000"
                     "0000000000000000"
                     "0100000000000000"
                     "4000000000000000"
                     "230000");
  }
  mlpd_writer_free (w);
}

/* Names that were announced before: the object base is "again". */
TEST (test_reannounced)
{
  struct mlpd_writer *w = new_writer (1);
  const union mlpd_payload name = {
    .metadata_thread
    = { .action = MLPD_LOAD_NAME, .time = 1, .thread = 9, .flags = 0, .name = { "T", 1 } },
  };
  assert_true (mlpd_writer_begin_buffer (w, 9, 1, NULL));
  mlpd_writer_mark_reannounced (w);
  write_event (w, MLPD_METADATA_THREAD, name);
  mlpd_writer_end_buffer (w);
  expect_bytes (w, "014c504d"
                   "07000000"
                   "0100000000000000"
                   "0900000000000000"
                   "616761696e000000"
                   "0900000000000000"
                   "0000000000000000"
                   "02"
                   "00"
                   "05"
                   "00"
                   "00"
                   "5400");
  mlpd_writer_free (w);
}

/* A buffer without events would be the end mark, so it is left out. */
TEST (test_marks)
{
  struct mlpd_writer *w = new_writer (1);
  assert_true (mlpd_writer_begin_buffer (w, 7, 1000, NULL));
  assert_true (mlpd_writer_loss (w, 2, 3, 4, 28, NULL));
  expect_bytes (w, "014c504d"
                   "00000000"
                   "0200000000000000"
                   "0400000000000000"
                   "6c6f737400000000"
                   "0300000000000000"
                   "1c00000000000000");
  assert_true (mlpd_writer_end (w, 5, 6, NULL));
  expect_bytes (w, "014c504d"
                   "00000000"
                   "0500000000000000"
                   "0000000000000000"
                   "0000000000000000"
                   "0600000000000000"
                   "0000000000000000");
  mlpd_writer_free (w);
}

/* Buffers of a log, and whether all events were read back. */
static unsigned
count_buffers (struct mlpd_writer *w, uint64_t events, uint64_t last_time)
{
  struct mlpd_reader *r = mlpd_reader_new ();
  const struct mlpd_item *item;
  size_t length;
  unsigned buffers = 0;
  uint64_t time = 0;
  const uint8_t *bytes = mlpd_writer_take (w, &length);
  mlpd_reader_push (r, bytes, length);
  mlpd_reader_finish (r);
  while (mlpd_reader_next (r, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, MLPD_ITEM_DAMAGE);
    buffers += item->type == MLPD_ITEM_BUFFER && item->buffer->length != 0;
    if (item->type == MLPD_ITEM_EVENT && item->kind == MLPD_METHOD_ENTER)
      time = item->payload->method_enter.time;
    events -= item->type == MLPD_ITEM_EVENT;
  }
  mlpd_reader_free (r);
  assert_int_equal (events, 0);
  assert_int_equal (time, last_time);
  return buffers;
}

/* Events of 3 bytes: one MiB has 349,526, the last of which passes it. */
TEST (test_division)
{
  const struct mlpd_file_header header = { .data_version = 17, .pointer_size = 8 };
  const union mlpd_payload values = { .sample_counters = { .time = 0 } };
  struct mlpd_writer *w = mlpd_writer_new ();
  assert_true (mlpd_writer_header (w, &header, NULL));
  assert_true (mlpd_writer_begin_buffer (w, 7, 0, NULL));
  for (uint64_t time = 1; time <= 349526; time++)
    write_event (w, MLPD_METHOD_ENTER, (union mlpd_payload){ .method_enter = { time, 64 } });
  write_event (w, MLPD_SAMPLE_COUNTERS, values); /* belongs to the event before */
  write_event (w, MLPD_METHOD_ENTER, (union mlpd_payload){ .method_enter = { 349527, 72 } });
  assert_true (mlpd_writer_end (w, 349527, 7, NULL));
  assert_int_equal (count_buffers (w, 349528, 349527), 2);
  mlpd_writer_free (w);
}

TEST (test_events_that_do_not_fit)
{
  struct mlpd_writer *w = new_writer (1);
  const union mlpd_payload hit = { .sample_hit = { .time = 1 } };
  const union mlpd_payload lock = { .monitor = { .time = 1, .event = 4 } };
  const union mlpd_payload odd = { .exception_throw = { .time = 1, .object = 0x1004 } };
  const union mlpd_payload negative = { .gc_resize = { .time = 1, .size = UINT64_C (1) << 63 } };
  const union mlpd_payload nul
      = { .method_jit = { .time = 1, .method = 8, .name = { "a\0b", 3 } } };
  const union mlpd_payload many
      = { .gc_move = { .time = 1, .objects = { NULL, MLPD_WRITER_EVENT_MAX + 1 } } };
  refuse_event (w, MLPD_HEAP_START, hit, MLPD_WRITER_ERROR_ORDER,
                "an event 'heap-start' cannot be written outside a buffer");
  assert_true (mlpd_writer_begin_buffer (w, 7, 1000, NULL));
  refuse_event (w, MLPD_SAMPLE_HIT, hit, MLPD_WRITER_ERROR_VERSION,
                "data version 1 has no event 'sample-hit'");
  refuse_event (
      w, MLPD_MONITOR, lock, MLPD_WRITER_ERROR_VALUE,
      "the field 'event' of an event 'monitor' is 4; data version 1 has room for at most 3");
  refuse_event (
      w, MLPD_EXCEPTION_THROW, odd, MLPD_WRITER_ERROR_VALUE,
      "the field 'object' of an event 'exception-throw' has an object whose address is no "
      "multiple of 8");
  refuse_event (
      w, MLPD_GC_RESIZE, negative, MLPD_WRITER_ERROR_VALUE,
      "the field 'size' of an event 'gc-resize' is 9223372036854775808; data version 1 has "
      "room for at most 562949953421311");
  refuse_event (w, MLPD_METHOD_JIT, nul, MLPD_WRITER_ERROR_VALUE,
                "the field 'name' of an event 'method-jit' has a NUL in its text");
  refuse_event (
      w, MLPD_GC_MOVE, many, MLPD_WRITER_ERROR_TOO_LONG,
      "the field 'objects' of an event 'gc-move' has 16777217 items; there may be 16777216");
  mlpd_writer_end_buffer (w);
  expect_bytes (w, "");
  mlpd_writer_free (w);
}

/* Errors in lists of items, which have no place in the format. */
TEST (test_items_that_do_not_fit)
{
  static const struct mlpd_string nul = { "a\0b", 3 }, good = { "a", 1 };
  static const struct mlpd_counter nul_name[] = { { .name = { "a\0b", 3 } } },
                                   nul_section[] = { { .section_name = { "a\0b", 3 } } },
                                   type[] = { { .type = 256 } }, unit[] = { { .unit = 256 } },
                                   variance[] = { { .variance = 256 } };
  static const struct mlpd_counter_value zero[] = { { .index = 0 } },
                                         odd_type[] = { { .index = 1, .type = 99 } },
                                         nul_value[] = { { .index = 1, .text = { "a\0b", 3 } } };
  static const uint64_t odd[] = { 8, 12 }, wide[] = { 8, UINT64_C (1) << 32 };
  static const struct mlpd_frame wide_frame[] = { { .method = UINT64_C (1) << 32 } };
  static const struct mlpd_root odd_root[] = { { .object = 12 } },
                                wide_root[] = { { .object = 8, .address = UINT64_C (1) << 32 } },
                                root_type[] = { { .object = 8, .type = 256 } };
  const struct {
    uint8_t version, pointer_size;
    enum mlpd_kind kind;
    union mlpd_payload payload;
    const char *message;
  } cases[] = {
    { 17,
      8,
      MLPD_SAMPLE_COUNTERS_DESC,
      { .sample_counters_desc = { .counters = { nul_name, 1 } } },
      "has a NUL in its text" },
    { 17,
      8,
      MLPD_SAMPLE_COUNTERS_DESC,
      { .sample_counters_desc = { .counters = { nul_section, 1 } } },
      "has a NUL in its text" },
    { 13,
      8,
      MLPD_SAMPLE_COUNTERS_DESC,
      { .sample_counters_desc = { .counters = { type, 1 } } },
      "is 256; data version 13 has room for at most 255" },
    { 14,
      8,
      MLPD_SAMPLE_COUNTERS_DESC,
      { .sample_counters_desc = { .counters = { unit, 1 } } },
      "is 256; data version 14 has room for at most 255" },
    { 14,
      8,
      MLPD_SAMPLE_COUNTERS_DESC,
      { .sample_counters_desc = { .counters = { variance, 1 } } },
      "is 256; data version 14 has room for at most 255" },
    { 17,
      8,
      MLPD_SAMPLE_COUNTERS,
      { .sample_counters = { .values = { zero, 1 } } },
      "has a counter 0, which ends the list" },
    { 17,
      8,
      MLPD_SAMPLE_COUNTERS,
      { .sample_counters = { .values = { odd_type, 1 } } },
      "is 99; data version 17 has room for at most" },
    { 17,
      8,
      MLPD_SAMPLE_COUNTERS,
      { .sample_counters = { .values = { nul_value, 1 } } },
      "has a NUL in its text" },
    { 17,
      8,
      MLPD_HEAP_OBJECT,
      { .heap_object = { .references = { odd, odd, 2 } } },
      "has an object whose address is no multiple of 8" },
    { 17,
      8,
      MLPD_HEAP_OBJECT,
      { .heap_object = { .references = { wide, NULL, 2 } } },
      "has no offsets of its references" },
    { 17,
      4,
      MLPD_HEAP_OBJECT,
      { .heap_object = { .references = { wide, wide, 2 } } },
      "is 4294967296; data version 17 has room for at most 4294967295" },
    { 17,
      8,
      MLPD_HEAP_ROOT,
      { .heap_root = { .roots = { odd_root, 1, 0 } } },
      "has an object whose address is no multiple of 8" },
    { 17,
      4,
      MLPD_HEAP_ROOT,
      { .heap_root = { .roots = { wide_root, 1, 0 } } },
      "is 4294967296; data version 17 has room for at most 4294967295" },
    { 13,
      8,
      MLPD_HEAP_ROOT,
      { .heap_root = { .roots = { root_type, 1, 0 } } },
      "is 256; data version 13 has room for at most 255" },
    { 13,
      4,
      MLPD_SAMPLE_HIT,
      { .sample_hit = { .frames = { wide_frame, 1 } } },
      "is 4294967296; data version 13 has room for at most 4294967295" },
    { 17,
      4,
      MLPD_SAMPLE_HIT,
      { .sample_hit = { .ips = { wide, 2 } } },
      "is 4294967296; data version 17 has room for at most 4294967295" },
    { 17,
      8,
      MLPD_METADATA_IMAGE,
      { .metadata_image = { .action = 1, .name = good } },
      "has no such value" },
    { 17, 8, MLPD_METADATA_IMAGE, { .metadata_image = { .name = nul } }, "has a NUL in its text" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct mlpd_file_header header
        = { .data_version = cases[i].version, .pointer_size = cases[i].pointer_size };
    struct mlpd_writer *w = mlpd_writer_new ();
    GError *error = NULL;
    assert_true (mlpd_writer_header (w, &header, NULL));
    assert_true (mlpd_writer_begin_buffer (w, 7, 0, NULL));
    if (mlpd_writer_event (w, cases[i].kind, &cases[i].payload, &error))
      fail_msg ("it is written, though it '%s'", cases[i].message);
    if (strstr (error->message, cases[i].message) == NULL)
      fail_msg ("'%s' lacks '%s'", error->message, cases[i].message);
    g_clear_error (&error);
    mlpd_writer_free (w);
  }
}

/* Texts may share their bytes: each is short enough, but all need more than 4 GiB. */
TEST (test_texts_that_share_bytes)
{
  struct mlpd_writer *w = new_writer (15);
  g_autofree char *name = g_malloc (MLPD_WRITER_EVENT_MAX);
  struct mlpd_counter counters[300];
  GError *error = NULL;
  memset (name, 'n', MLPD_WRITER_EVENT_MAX);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    counters[i] = (struct mlpd_counter){ .section = MLPD_COUNTER_SECTION_PROFILER,
                                         .name = { name, MLPD_WRITER_EVENT_MAX },
                                         .index = i + 1 };
  const union mlpd_payload described
      = { .sample_counters_desc = { .counters = { counters, G_N_ELEMENTS (counters) } } };
  assert_true (mlpd_writer_begin_buffer (w, 7, 1, NULL));
  assert_false (mlpd_writer_event (w, MLPD_SAMPLE_COUNTERS_DESC, &described, &error));
  assert_true (g_error_matches (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_TOO_LONG));
  g_clear_error (&error);
  mlpd_writer_end_buffer (w);
  expect_bytes (w, "");
  mlpd_writer_free (w);
}

/* Its bytes are more than a reader reads for one event, and its bases are forgotten with it. */
TEST (test_event_that_is_too_long)
{
  struct mlpd_writer *w = new_writer (1);
  const size_t count = MLPD_WRITER_EVENT_MAX / 2;
  uint64_t *objects = g_new (uint64_t, count);
  for (size_t i = 0; i < count; i++)
    objects[i] = i % 2 == 0 ? 8 : 0x1000000; /* differences of 4 bytes, but for the first of none */
  const union mlpd_payload moves = { .gc_move = { .time = 9, .objects = { objects, count } } };
  assert_true (mlpd_writer_begin_buffer (w, 7, 1, NULL));
  refuse_event (w, MLPD_GC_MOVE, moves, MLPD_WRITER_ERROR_TOO_LONG,
                "an event 'gc-move' has 20971526 bytes; there may be 16777216");
  write_event (w, MLPD_HEAP_START, (union mlpd_payload){ .heap_start = { .time = 3 } });
  mlpd_writer_end_buffer (w);
  expect_bytes (w, "014c504d"
                   "02000000"
                   "0100000000000000"
                   "0000000000000000"
                   "0000000000000000"
                   "0700000000000000"
                   "0000000000000000"
                   "0602");
  g_free (objects);
  mlpd_writer_free (w);
}

TEST (test_bad_headers)
{
  static const struct mlpd_file_header headers[] = {
    { .data_version = 0, .pointer_size = 8 },
    { .data_version = MLPD_VERSION_LAST + 1, .pointer_size = 8 },
    { .data_version = 1, .pointer_size = 0 },
    { .data_version = 17,
      .major = 3,
      .pointer_size = 8,
      .arguments = { "", MLPD_HEADER_STRING_MAX } },
  };
  struct mlpd_writer *w = mlpd_writer_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (headers); i++) {
    GError *error = NULL;
    assert_false (mlpd_writer_header (w, &headers[i], &error));
    assert_true (g_error_matches (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_HEADER));
    g_clear_error (&error);
  }
  expect_bytes (w, "");
  mlpd_writer_free (w);
}

TEST (test_order)
{
  const struct mlpd_file_header header = { .data_version = 1, .pointer_size = 8 };
  struct mlpd_writer *w = mlpd_writer_new ();
  assert_false (mlpd_writer_begin_buffer (w, 1, 1, NULL));
  assert_false (mlpd_writer_loss (w, 1, 1, 1, 0, NULL));
  assert_false (mlpd_writer_end (w, 1, 1, NULL));
  assert_true (mlpd_writer_header (w, &header, NULL));
  assert_false (mlpd_writer_header (w, &header, NULL));
  mlpd_writer_free (w);
}
