/* test-log.c -- the facts of a log as such: its size, its span, its damage. */
#include "config.h"

#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

/* Bytes of these events: event byte, time (1 below 128), and
 *   alloc: class, object (the first of the buffer: 0), size;  leave: method. */
enum { ALLOC_SIZE = 5, LEAVE_SIZE = 3 };

static void
begin (struct script *log)
{
  script_begin (log);
  script_buffer (log, 1, 1000);
  script_alloc (log, 1010, 0x100, 0x200, 8);
  script_leave (log, 1020, 0x300);
  script_buffer (log, 2, 900);
  script_alloc (log, 1015, 0x100, 0x200, 8);
}

TEST (test_sizes)
{
  struct script log;
  struct summary s;
  begin (&log);
  script_summarize (&log, &s);
  assert_true (s.log.has_header);
  assert_int_equal (s.log.header.pid, 4711);
  assert_int_equal (s.log.bytes, 32 + 48 + ALLOC_SIZE + LEAVE_SIZE + 48 + ALLOC_SIZE + 48);
  assert_int_equal (s.log.blocks, 3);
  assert_int_equal (s.log.events, 3);
  assert_int_equal (s.log.kind_events[MLPD_ALLOC], 2);
  assert_int_equal (s.log.kind_bytes[MLPD_ALLOC], 2 * ALLOC_SIZE);
  assert_int_equal (s.log.kind_events[MLPD_METHOD_LEAVE], 1);
  assert_int_equal (s.log.kind_bytes[MLPD_METHOD_LEAVE], LEAVE_SIZE);
  assert_int_equal (s.log.kind_events[MLPD_METHOD_ENTER], 0);
  /* From the time base of the first buffer to the last event. */
  assert_int_equal (log_duration (&s.log), 20);
  assert_int_equal (log_when (&s.log, 1010), 10);
  assert_int_equal (s.log.damages, 0);
  assert_int_equal (s.log.messages->len, 0);
  summary_clear (&s);
}

/* No event, no time. */
TEST (test_empty)
{
  struct script log;
  struct summary s;
  script_begin (&log);
  script_summarize (&log, &s);
  assert_int_equal (log_duration (&s.log), 0);
  assert_int_equal (s.log.blocks, 1);
  assert_int_equal (s.log.bytes, 32 + 48);
  assert_int_equal (s.log.damages, 0);
  summary_clear (&s);
}

/* The second buffer lacks its last 3 bytes, and the log its end mark: 2 bytes of an event are
 * left that make none. */
TEST (test_cut)
{
  struct script log;
  struct summary s;
  begin (&log);
  GByteArray *bytes = script_end (&log);
  summarize_bytes (bytes->data, bytes->len - 48 - 3, &s);
  assert_true (s.log.truncated);
  assert_int_equal (s.log.missing_bytes, 3);
  assert_int_equal (s.log.skipped_bytes, ALLOC_SIZE - 3);
  assert_int_equal (s.log.skipped_blocks, 1);
  assert_int_equal (s.log.damages, 1);
  assert_int_equal (s.log.messages->len, 1);
  assert_int_equal (s.log.events, 2);
  assert_int_equal (s.log.bytes, bytes->len - 48 - 3);
  summary_clear (&s);
  /* Without the end mark alone: nothing was skipped. */
  summarize_bytes (bytes->data, bytes->len - 48, &s);
  assert_true (s.log.truncated);
  assert_int_equal (s.log.damages, 1);
  assert_int_equal (s.log.skipped_bytes, 0);
  assert_int_equal (s.log.skipped_blocks, 0);
  summary_clear (&s);
  g_byte_array_unref (bytes);
}

/* An event of a type that there is not (15) costs the rest of its buffer, and no more. */
TEST (test_unknown_event)
{
  struct script log;
  struct summary s;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_alloc (&log, 1010, 0x100, 0x200, 8);
  script_bytes (&log, "\x0f\x01\x02\x03", 4);
  script_alloc (&log, 1020, 0x100, 0x200, 8);
  script_buffer (&log, 1, 2000);
  script_alloc (&log, 2010, 0x100, 0x200, 8);
  script_summarize (&log, &s);
  assert_false (s.log.truncated);
  assert_int_equal (s.log.skipped_bytes, 4 + ALLOC_SIZE);
  assert_int_equal (s.log.skipped_blocks, 1);
  assert_int_equal (s.log.missing_bytes, 0);
  assert_int_equal (s.log.damages, 1);
  assert_int_equal (s.log.events, 2);
  assert_int_equal (s.allocations.objects, 2);
  summary_clear (&s);
}

/* However much damage there is, not more of its messages are retained than anybody reads. */
TEST (test_many_messages)
{
  struct script log;
  struct summary s;
  script_begin (&log);
  for (int i = 0; i < LOG_MESSAGES_MAX + 50; i++) {
    script_buffer (&log, 1, 1000);
    script_bytes (&log, "\x0f", 1);
  }
  script_summarize (&log, &s);
  assert_int_equal (s.log.damages, LOG_MESSAGES_MAX + 50);
  assert_int_equal (s.log.skipped_bytes, LOG_MESSAGES_MAX + 50);
  assert_int_equal (s.log.messages->len, LOG_MESSAGES_MAX);
  summary_clear (&s);
}

static void
expect_system (unsigned system, const char *architecture, const char *operating_system)
{
  const struct mlpd_file_header header = { .system = (uint16_t) system };
  assert_string_equal (log_architecture (&header), architecture);
  assert_string_equal (log_operating_system (&header), operating_system);
}

TEST (test_systems)
{
  expect_system (0, "unknown", "unknown");
  expect_system (0x0300 + 62, "x86-64", "linux");
  expect_system (0x0300 + 183, "aarch64", "linux");
  expect_system (0x0300 + 3, "i386", "linux");
  expect_system (0x0300 + 40, "arm", "linux");
  expect_system (0x0300 + 243, "riscv", "linux");
  expect_system (0x0900 + 62, "x86-64", "unknown");
  expect_system (0x0300 + 250, "unknown", "linux");
}

static void
put_thread (struct log *log, uint64_t time, uint64_t thread, uint64_t action, const char *name)
{
  const struct mlpd_metadata_thread event
      = { .time = time, .thread = thread, .action = action, .name = { .text = name } };
  log_thread (log, &event);
}

/* Of a log without an end mark, only the end of the main thread states that it is complete.  The
 * main thread is the one that was called Main first, in time. */
TEST (test_completeness)
{
  struct log log;
  log_init (&log);
  assert_int_equal (log_completeness (&log), LOG_UNKNOWN);
  put_thread (&log, 500, 7, MLPD_LOAD_NAME, "Main");
  put_thread (&log, 600, 7, MLPD_LOAD_END_UNLOAD, NULL);
  assert_int_equal (log_completeness (&log), LOG_COMPLETE);
  put_thread (&log, 10, 1, MLPD_LOAD_NAME, "Main");
  assert_int_equal (log_completeness (&log), LOG_UNKNOWN);
  put_thread (&log, 700, 7, MLPD_LOAD_END_UNLOAD, NULL);
  put_thread (&log, 700, 8, MLPD_LOAD_NAME, "Main");
  put_thread (&log, 701, 8, MLPD_LOAD_END_UNLOAD, NULL);
  put_thread (&log, 702, 1, MLPD_LOAD_NAME, "another name");
  assert_int_equal (log_completeness (&log), LOG_UNKNOWN);
  put_thread (&log, 703, 1, MLPD_LOAD_END_UNLOAD, NULL);
  assert_int_equal (log_completeness (&log), LOG_COMPLETE);
  log.is_part = true;
  assert_int_equal (log_completeness (&log), LOG_UNKNOWN);
  log.header.system = 1; /* it has its mark, else there were damage */
  assert_int_equal (log_completeness (&log), LOG_COMPLETE);
  log_damage (&log, false, "damage");
  assert_int_equal (log_completeness (&log), LOG_INCOMPLETE);
  log_clear (&log);
}
