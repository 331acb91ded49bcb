/* test-log-heap.c -- reports and heap snapshots through the library, and its refusals.  Figures are
 * those of tests/logs/make-small.c. */
#include "config.h"

#include "tests/unit/fixtures.h"
#include "tests/unit/test.h"

#include <proflog/log.h>
#include <string.h>

static void
expect_message (GError **error, const char *text)
{
  assert_non_null (*error);
  if (strstr ((*error)->message, text) == NULL)
    fail_msg ("'%s' does not say '%s'", (*error)->message, text);
  g_clear_error (error);
}

static void
expect_no_heap (struct proflog_log *log, unsigned snapshot, const char *text)
{
  GError *error = NULL;
  assert_null (proflog_log_heap (log, snapshot, &error));
  expect_message (&error, text);
}

TEST (test_heap)
{
  struct proflog_log *log = fixture_open_log ("small.mlpd");
  GError *error = NULL;
  struct proflog_heap *heap = proflog_log_heap (log, 0, &error);
  assert_non_null (heap);
  assert_int_equal (heap->objects, 2);
  assert_int_equal (heap->addresses[0], 0x7fa0100 - 0x1000);
  assert_int_equal (heap->addresses[1], 0x7fa0100 - 0x1000 + 24);
  assert_int_equal (heap->bytes[0], 24);
  assert_int_equal (heap->bytes[1], 4096);
  assert_int_equal (heap->first[1] - heap->first[0], 2);
  assert_int_equal (heap->targets[0] + heap->targets[1], 1); /* the other, and itself */
  assert_int_equal (heap->first[2], 2);
  proflog_heap_free (heap);
  expect_no_heap (log, 2, "heap snapshot 2 is not there or not selected: the log has 1");
  assert_true (proflog_log_select (log, "time-range", "100s~200s", &error));
  expect_no_heap (log, 0, "none of the log's 1 heap snapshots is selected");
  proflog_log_close (log);
}

TEST (test_no_heap)
{
  struct proflog_log *log = fixture_open_log ("stock-threads.mlpd.gz");
  expect_no_heap (log, 0, "the log has no heap snapshots");
  proflog_log_close (log);
  log = fixture_open_log ("ghc-blocks.eventlog.gz");
  expect_no_heap (log, 0, "eventlogs have no heap snapshots");
  proflog_log_close (log);
}

TEST (test_report)
{
  struct proflog_log *log = fixture_open_log ("small.mlpd");
  GError *error = NULL;
  uint64_t number = 7;
  struct proflog_report *report = proflog_log_report (log, "gc,allocations", &error);
  assert_non_null (report);
  assert_true (proflog_report_number (report, "gc.resizes", &number));
  assert_int_equal (number, 1);
  assert_false (proflog_report_number (report, "gc.nothing", &number));
  assert_int_equal (number, 1);
  proflog_report_free (report);
  assert_null (proflog_log_report (log, "gc,timeline", &error));
  expect_message (&error, "the section 'timeline' is of the command 'proflog report' only");
  assert_null (proflog_log_report (log, "nothing", &error));
  expect_message (&error, "nothing");
  proflog_log_close (log);
}
