/* test-monitors.c -- contention, and the waits for it to end. */
#include "config.h"

#include "decoder/mlpd/analyses/monitors.h"
#include "tests/unit/summary-test.h"

enum {
  T1 = 1,
  T2 = 2,
  LOCK = 0x8000,
  OTHER_LOCK = 0x9000,
  TYPE = 0x100,
  CONTENTION = MLPD_MONITOR_EVENT_CONTENTION,
  DONE = MLPD_MONITOR_EVENT_DONE,
  FAIL = MLPD_MONITOR_EVENT_FAIL,
};

static void
expect_monitor (const struct monitor_sum *sum, uint64_t contentions, uint64_t acquired,
                uint64_t failed, uint64_t wait_total_ns, uint64_t wait_max_ns)
{
  assert_non_null (sum);
  assert_int_equal (sum->contentions, contentions);
  assert_int_equal (sum->acquired, acquired);
  assert_int_equal (sum->failed, failed);
  assert_int_equal (sum->wait_total_ns, wait_total_ns);
  assert_int_equal (sum->wait_max_ns, wait_max_ns);
}

static const struct monitor_sum *
lock (uint64_t object)
{
  return g_hash_table_lookup (STATE (monitors)->objects, &object);
}

/* Waits of 50 and 10 for LOCK, the second in vain; of 30 for OTHER_LOCK. */
SUMMARY_TEST (test_waits)
{
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_monitor (&script, 1050, DONE, LOCK);
  script_monitor (&script, 1100, CONTENTION, OTHER_LOCK);
  script_monitor (&script, 1130, DONE, OTHER_LOCK);
  script_monitor (&script, 1200, CONTENTION, LOCK);
  script_monitor (&script, 1210, FAIL, LOCK);
  script_summarize (&script, &summary);
  expect_monitor (&STATE (monitors)->all, 3, 2, 1, 90, 50);
  expect_monitor (lock (LOCK), 2, 1, 1, 60, 50);
  expect_monitor (lock (OTHER_LOCK), 1, 1, 0, 30, 30);
}

/* An event of a number that the format does not have ends no wait. */
SUMMARY_TEST (test_other_events)
{
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_monitor (&script, 1010, 0, OTHER_LOCK);
  script_monitor (&script, 1050, DONE, LOCK);
  script_summarize (&script, &summary);
  expect_monitor (lock (LOCK), 1, 1, 0, 50, 50);
  expect_monitor (lock (OTHER_LOCK), 0, 0, 0, 0, 0);
}

/* T1 waits 1000..1100, T2 1020..1050 in between. */
SUMMARY_TEST (test_threads)
{
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_buffer (&script, T2, 1010);
  script_monitor (&script, 1020, CONTENTION, LOCK);
  script_monitor (&script, 1050, DONE, LOCK);
  script_buffer (&script, T1, 1090);
  script_monitor (&script, 1100, DONE, LOCK);
  script_summarize (&script, &summary);
  expect_monitor (lock (LOCK), 2, 2, 0, 100 + 30, 100);
}

/* A contention whose end is missing has no wait; an end without contention has none either. */
SUMMARY_TEST (test_halves)
{
  script_monitor (&script, 1000, DONE, LOCK);
  script_monitor (&script, 1010, CONTENTION, LOCK);
  script_monitor (&script, 1020, CONTENTION, LOCK);
  script_monitor (&script, 1025, DONE, LOCK);
  script_monitor (&script, 1030, FAIL, LOCK);
  script_monitor (&script, 1040, CONTENTION, LOCK);
  script_summarize (&script, &summary);
  expect_monitor (&STATE (monitors)->all, 3, 2, 1, 5, 5);
}

SUMMARY_TEST (test_time_runs_backwards)
{
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_monitor (&script, 900, DONE, LOCK);
  script_summarize (&script, &summary);
  expect_monitor (&STATE (monitors)->all, 1, 1, 0, 0, 0);
}

/* The type of a lock comes from the mark right before a contention. */
SUMMARY_TEST (test_types)
{
  script_class (&script, 1000, TYPE, "Lock");
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_monitor (&script, 1001, DONE, LOCK);
  script_monitor (&script, 1002, CONTENTION, OTHER_LOCK);
  script_monitor (&script, 1003, DONE, OTHER_LOCK);
  script_summarize (&script, &summary);
  assert_true (lock (LOCK)->type_known);
  assert_int_equal (lock (LOCK)->type, symbol_of (&summary, SYMBOL_CLASS, TYPE));
  assert_false (lock (OTHER_LOCK)->type_known);
}
