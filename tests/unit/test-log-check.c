/* test-log-check.c -- contradictions in a log are found, with their places. */
#include "config.h"

#include "decoder/mlpd/analyses/check-frames.h"
#include "decoder/mlpd/analyses/log-check.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

static struct log_check check;

/* Checks a log, of which the reader gets this many bytes at a time; events that come in bulk as
 * spans, or all as items. */
static void
check_bytes (struct log_check *c, const GByteArray *log, gsize piece, bool has_spans)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  struct mlpd_span span;
  log_check_init (c, true);
  for (gsize at = 0; at <= log->len; at += piece) {
    if (at < log->len)
      mlpd_reader_push (reader, log->data + at, MIN (piece, log->len - at));
    else
      mlpd_reader_finish (reader);
    do
      if (has_spans && mlpd_span_of (reader, &span)) {
        log_check_span (c, &span);
        mlpd_span_pass (reader, &span);
      }
    while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT && (log_check_item (c, item), true));
    if (log->len - at < piece && at != log->len)
      at = log->len - piece;
  }
  assert_null (mlpd_reader_error (reader));
  log_check_finish (c);
  mlpd_reader_free (reader);
}

static void
expect_same (const struct log_check *a, const struct log_check *b)
{
  assert_memory_equal (a->findings, b->findings, sizeof a->findings);
  assert_int_equal (a->buffers->len, b->buffers->len);
  for (guint i = 0; i < a->buffers->len; i++)
    assert_memory_equal (&g_array_index (a->buffers, struct check_buffer, i),
                         &g_array_index (b->buffers, struct check_buffer, i),
                         offsetof (struct check_buffer, is_loss_mark));
  assert_int_equal (a->damages->len, b->damages->len);
  assert_int_equal (a->damaged_buffers, b->damaged_buffers);
  assert_int_equal (a->log.events, b->log.events);
  assert_int_equal (a->log.bytes, b->log.bytes);
  assert_int_equal (a->log.last_time, b->log.last_time);
  assert_int_equal (a->log.skipped_bytes, b->log.skipped_bytes);
  assert_int_equal (threads_with_events (&a->lifetimes), threads_with_events (&b->lifetimes));
}

/* However it is read, the same is found. */
static void
expect_same_by_spans (const GByteArray *log)
{
  struct log_check spans;
  for (gsize piece = 1; piece < 3 * log->len; piece *= 5) {
    check_bytes (&spans, log, MIN (piece, log->len), true);
    expect_same (&spans, &check);
    log_check_clear (&spans);
  }
}

/* Checks the log of the script, which it frees; returns how many bytes it has. */
static gsize
check_script (struct script *script)
{
  GByteArray *log = script_end (script);
  check_bytes (&check, log, log->len, false);
  expect_same_by_spans (log);
  const gsize length = log->len;
  g_byte_array_unref (log);
  return length;
}

static void
expect_finding (enum check_finding_kind kind, uint64_t count, uint64_t offset)
{
  assert_int_equal (check.findings[kind].count, count);
  if (count != 0)
    assert_int_equal (check.findings[kind].offset, offset);
}

static void
expect_only (enum check_finding_kind kind)
{
  for (int i = 0; i < CHECK_FINDINGS; i++)
    if (i != (int) kind)
      assert_int_equal (check.findings[i].count, 0);
}

static const struct check_buffer *
buffer_at (guint i)
{
  return &g_array_index (check.buffers, struct check_buffer, i);
}

/* The first event is after two headers. */
enum { FIRST = MLPD_FILE_HEADER_SIZE + MLPD_BUFFER_HEADER_SIZE };

TEST (test_good)
{
  struct script s;
  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_jit (&s, 1000, 0x10, 0x500, 8, "A");
  script_class (&s, 1001, 0x20, "C");
  script_enter (&s, 1005, 0x10);
  script_alloc (&s, 1006, 0x20, 0x100, 16);
  script_leave (&s, 1010, 0x10);
  script_buffer (&s, 8, 900); /* of another thread */
  script_shot_start (&s, 910);
  script_shot_object (&s, 0x100, 0x20, 16, NULL, 0);
  script_shot_end (&s, 920);
  const gsize length = check_script (&s);
  expect_only (CHECK_FINDINGS);
  assert_int_equal (log_check_level (&check), CHECK_NOTE);
  assert_int_equal (check.log.bytes, length);
  assert_int_equal (check.log.blocks, 3);
  assert_int_equal (check.log.events, 8);
  assert_int_equal (threads_with_events (&check.lifetimes), 2);
  assert_int_equal (check.buffers->len, 3);
  assert_int_equal (buffer_at (0)->offset, MLPD_FILE_HEADER_SIZE);
  assert_int_equal (buffer_at (0)->thread, 7);
  assert_int_equal (buffer_at (0)->start, 1000);
  assert_int_equal (buffer_at (0)->end, 1010);
  assert_int_equal (buffer_at (0)->events, 5);
  assert_int_equal (buffer_at (0)->damage, 0);
  assert_int_equal (buffer_at (1)->offset, FIRST + buffer_at (0)->length);
  assert_int_equal (buffer_at (1)->events, 3);
  assert_int_equal (buffer_at (2)->length, 0);
  log_check_clear (&check);
}

/* A call is an event byte, one byte of time and one or two of the method. */
TEST (test_calls)
{
  struct script s;
  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_leave (&s, 1001, 0x10); /* was not entered */
  const guint second = s.events->len;
  script_enter (&s, 1002, 0x10);
  script_enter (&s, 1003, 0x10);
  script_enter (&s, 1004, 0x10);
  script_exc_leave (&s, 1005, 0x10);
  script_enter (&s, 1006, 0x11);
  script_leave (&s, 1007, 0x10);
  check_script (&s);
  expect_finding (CHECK_LEAVES, 1, FIRST);
  /* 0x11 above the second frame, and the first one at the end. */
  expect_finding (CHECK_FRAMES, 2, FIRST + second);
  expect_finding (CHECK_METHODS, 2, FIRST);
  assert_int_equal (log_check_level (&check), CHECK_NOTE);
  log_check_clear (&check);
}

TEST (test_shots)
{
  struct script s;
  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_class (&s, 1000, 0x20, "C");
  const guint stray = s.events->len;
  script_shot_object (&s, 0x100, 0x20, 16, NULL, 0);
  const guint start = s.events->len;
  script_shot_start (&s, 1010);
  script_shot_object (&s, 0x100, 0x20, 16, NULL, 0);
  check_script (&s);
  expect_finding (CHECK_STRAY_OBJECTS, 1, FIRST + stray);
  expect_finding (CHECK_OPEN_SHOTS, 1, FIRST + start);
  assert_int_equal (log_check_level (&check), CHECK_WARNING);
  log_check_clear (&check);
}

TEST (test_times)
{
  struct script s;
  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_gc (&s, 990, 0, 0); /* before its buffer */
  script_gc (&s, 1050, 0, 0);
  script_buffer (&s, 8, 100); /* earlier, but of another thread */
  script_gc (&s, 110, 0, 0);
  script_buffer (&s, 7, 1050); /* as late as the last event */
  script_gc (&s, 1051, 0, 0);
  check_script (&s);
  expect_finding (CHECK_EVENT_TIME, 1, FIRST);
  expect_only (CHECK_EVENT_TIME);
  assert_int_equal (log_check_level (&check), CHECK_NOTE);
  log_check_clear (&check);

  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_gc (&s, 1050, 0, 0);
  const guint length = s.events->len;
  script_buffer (&s, 7, 1049);
  script_gc (&s, 1060, 0, 0);
  check_script (&s);
  expect_finding (CHECK_BUFFER_TIME, 1, FIRST + length);
  expect_only (CHECK_BUFFER_TIME);
  assert_int_equal (log_check_level (&check), CHECK_WARNING);
  log_check_clear (&check);
}

TEST (test_names)
{
  struct script s;
  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_alloc (&s, 1006, 0x20, 0x100, 16); /* announced after it */
  const guint second = s.events->len;
  script_alloc (&s, 1007, 0x30, 0x110, 16);
  script_alloc (&s, 1008, 0x30, 0x120, 16);
  script_class (&s, 1010, 0x20, "C");
  check_script (&s);
  expect_finding (CHECK_CLASSES, 1, FIRST + second);
  expect_only (CHECK_CLASSES);
  log_check_clear (&check);
}

/* Headers and counters: items that no script makes. */
TEST (test_items)
{
  const struct mlpd_file_header header = { .data_version = 17, .flags = 1 };
  const struct mlpd_buffer_header buffer = { .length = 100, .thread = 7 };
  const struct mlpd_counter counter = { .name = { "c", 1 }, .index = 3 };
  const struct mlpd_counter_value values[] = { { .index = 3 }, { .index = 4 } };
  const union mlpd_payload described = { .sample_counters_desc = { .counters = { &counter, 1 } } };
  const union mlpd_payload sampled = { .sample_counters = { .values = { values, 2 } } };
  struct mlpd_item item = { .type = MLPD_ITEM_FILE_HEADER, .size = 40, .header = &header };
  log_check_init (&check, false);
  log_check_item (&check, &item);
  item.type = MLPD_ITEM_BUFFER;
  item.buffer = &buffer;
  item.offset = 40;
  log_check_item (&check, &item);
  item.type = MLPD_ITEM_EVENT;
  item.kind = MLPD_SAMPLE_COUNTERS_DESC;
  item.payload = &described;
  item.offset = 88;
  log_check_item (&check, &item);
  item.kind = MLPD_SAMPLE_COUNTERS;
  item.payload = &sampled;
  item.offset = 99;
  log_check_item (&check, &item);
  log_check_damage (&check, true, "cut");
  log_check_finish (&check);
  expect_finding (CHECK_NO_PROCESS, 1, 0);
  expect_finding (CHECK_FLAGS, 1, 0);
  expect_finding (CHECK_COUNTERS, 1, 99);
  assert_int_equal (log_check_level (&check), CHECK_ERROR);
  assert_int_equal (check.buffers->len, 0); /* it has no damage */
  assert_int_equal (check.damages->len, 1);
  log_check_clear (&check);
}

/* Losses by their counter, whose values are its increments, and by a mark. */
TEST (test_losses)
{
  const struct mlpd_file_header header = { .data_version = 17, .pid = 1 };
  const struct mlpd_buffer_header buffer = { .length = 100, .thread = 7 };
  const struct mlpd_counter counter = { .name = { "Lost events", 11 }, .index = 1000000 };
  const struct mlpd_counter_value value = { .index = 1000000, .number = 30 };
  const union mlpd_payload described = { .sample_counters_desc = { .counters = { &counter, 1 } } };
  const union mlpd_payload sampled = { .sample_counters = { .values = { &value, 1 } } };
  const struct mlpd_damage loss = { .reason = MLPD_DAMAGE_LOST, .lost = 11, .message = "lost" };
  struct mlpd_item item = { .type = MLPD_ITEM_FILE_HEADER, .size = 40, .header = &header };
  log_check_init (&check, false);
  log_check_item (&check, &item);
  item.type = MLPD_ITEM_BUFFER;
  item.buffer = &buffer;
  log_check_item (&check, &item);
  item.type = MLPD_ITEM_EVENT;
  item.kind = MLPD_SAMPLE_COUNTERS_DESC;
  item.payload = &described;
  log_check_item (&check, &item);
  item.kind = MLPD_SAMPLE_COUNTERS;
  item.payload = &sampled;
  log_check_item (&check, &item);
  log_check_item (&check, &item);
  log_check_finish (&check);
  assert_int_equal (check.log.lost_events, 60);
  assert_int_equal (check.damages->len, 1);
  assert_int_equal (log_check_level (&check), CHECK_ERROR);
  item = (struct mlpd_item){ .type = MLPD_ITEM_DAMAGE, .header = &header, .damage = &loss };
  log_check_item (&check, &item);
  assert_int_equal (check.log.lost_events, 71);
  assert_int_equal (check.damages->len, 2);
  log_check_clear (&check);
}

/* Of 100,003 open calls 3 are counted only; 5 leaves take these and 2 more. */
TEST (test_many_frames)
{
  struct script s;
  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_jit (&s, 1000, 0x10, 0x500, 8, "A");
  const uint64_t enters = CHECK_FRAMES_MAX + 3;
  for (uint64_t i = 0; i < enters; i++)
    script_enter (&s, 1001 + i, 0x10);
  for (uint64_t i = 0; i < 5; i++)
    script_leave (&s, 1001 + enters + i, 0x10);
  check_script (&s);
  assert_int_equal (check.findings[CHECK_FRAMES].count, enters - 5);
  expect_only (CHECK_FRAMES);
  log_check_clear (&check);

  /* All of them, where nothing is left. */
  script_begin (&s);
  script_buffer (&s, 7, 1000);
  script_jit (&s, 1000, 0x10, 0x500, 8, "A");
  for (uint64_t i = 0; i < enters; i++)
    script_enter (&s, 1001 + i, 0x10);
  check_script (&s);
  assert_int_equal (check.findings[CHECK_FRAMES].count, enters);
  log_check_clear (&check);
}

/* Damage that begins within a span is left to the reader. */
TEST (test_damaged_spans)
{
  GRand *random = g_rand_new_with_seed (5);
  for (guint run = 0; run < 300; run++) {
    struct script s;
    script_begin_version (&s, run % 2 == 0 ? 1 : MLPD_VERSION_LAST);
    for (guint buffer = 0; buffer < 4; buffer++) {
      script_buffer (&s, 1 + buffer % 2, 1000 + buffer * 100);
      for (guint i = 0; i < 10; i++) {
        const guint64 time = 1000 + buffer * 100 + i;
        script_enter (&s, time, 0x10 + 8 * (i % 3));
        script_alloc (&s, time, 0x900, 0x8000 + 64 * i, 24);
        if (i % 4 != 0)
          script_leave (&s, time, 0x10 + 8 * (i % 3));
      }
    }
    GByteArray *log = script_end (&s);
    for (guint i = 0; i < run % 3; i++)
      log->data[g_rand_int_range (random, FIRST, (gint) log->len)]
          = (guint8) g_rand_int_range (random, 0, 256);
    check_bytes (&check, log, log->len, false);
    assert_true (check.log.events > 0 || run % 3 != 0);
    expect_same_by_spans (log);
    log_check_clear (&check);
    g_byte_array_unref (log);
  }
  g_rand_free (random);
}
