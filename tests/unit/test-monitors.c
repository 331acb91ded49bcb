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

static void
begin_with_values (void)
{
  script_begin_version (&script, 17);
  script_buffer (&script, T1, 1000);
}

static void
put_values (uint64_t time, uint64_t index, uint64_t first, uint64_t second)
{
  const struct mlpd_counter_value values[]
      = { { .index = index, .type = MLPD_COUNTER_TYPE_ULONG, .number = first },
          { .index = index, .type = MLPD_COUNTER_TYPE_ULONG, .number = second } };
  union mlpd_payload p = { .sample_counters = { .time = time, .values = { values, 1 } } };
  p.sample_counters.values.count += second != 0;
  script_event (&script, MLPD_SAMPLE_COUNTERS, &p);
}

static void
expect_holder (uint64_t thread, guint frames, uint64_t ns, uint64_t count)
{
  GHashTableIter i;
  gpointer key, value;
  const struct lock_wait_sum *found = NULL;
  g_hash_table_iter_init (&i, STATE (monitors)->waits.holders);
  while (g_hash_table_iter_next (&i, &key, &value)) {
    const struct lock_holder *h = key;
    guint n = 0;
    if (h->trace != TRACE_NONE)
      traces_frames (&summary.traces, h->trace, &n);
    if (h->thread == thread && n == frames)
      found = value;
  }
  assert_non_null (found);
  assert_int_equal (found->ns, ns);
  assert_int_equal (found->count, count);
}

/* T2 owned LOCK in waits of 50 and 10, and was seen in one of them; nobody knows who did in one of
 * 7.  Values that follow no event of a lock state nothing. */
TEST_WITH (test_owners, begin_with_values, summary_test_end)
{
  script_monitor (&script, 1000, CONTENTION, LOCK);
  put_values (1000, MLPD_LOCK_OWNER_INDEX, T2, 0);
  script_monitor (&script, 1050, DONE, LOCK);
  put_values (1050, MLPD_LOCK_PLACE_INDEX, 0x5000, 0x6000);
  put_values (1050, MLPD_LOCK_PLACE_INDEX, 0x7000, 0);
  script_monitor (&script, 1100, CONTENTION, LOCK);
  put_values (1100, MLPD_LOCK_OWNER_INDEX, T2, 0);
  script_monitor (&script, 1110, DONE, LOCK);
  script_monitor (&script, 1200, CONTENTION, LOCK);
  script_monitor (&script, 1207, DONE, LOCK);
  put_values (1300, MLPD_LOCK_OWNER_INDEX, T1, 0);
  script_summarize (&script, &summary);
  expect_holder (T2, 2, 50, 1);
  expect_holder (T2, 0, 10, 1);
  assert_int_equal (g_hash_table_size (STATE (monitors)->waits.holders), 2);
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
