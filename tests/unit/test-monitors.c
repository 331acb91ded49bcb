/* test-monitors.c -- contention, and the waits for it to end. */
#include "tests/unit/log-script.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

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

static struct summary summary;
static struct script script;

static int
begin (void **state)
{
  (void) state;
  script_begin (&script);
  script_buffer (&script, T1, 1000);
  return 0;
}

static int
end (void **state)
{
  (void) state;
  summary_clear (&summary);
  return 0;
}

static void
expect (const struct monitor_sum *sum, uint64_t contentions, uint64_t acquired, uint64_t failed,
        uint64_t wait_total_ns, uint64_t wait_max_ns)
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
  return g_hash_table_lookup (summary.monitors.objects, &object);
}

/* Waits of 50 and 10 for LOCK, the second in vain; of 30 for OTHER_LOCK. */
static void
test_waits (void **state)
{
  (void) state;
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_monitor (&script, 1050, DONE, LOCK);
  script_monitor (&script, 1100, CONTENTION, OTHER_LOCK);
  script_monitor (&script, 1130, DONE, OTHER_LOCK);
  script_monitor (&script, 1200, CONTENTION, LOCK);
  script_monitor (&script, 1210, FAIL, LOCK);
  script_summarize (&script, &summary);
  expect (&summary.monitors.all, 3, 2, 1, 90, 50);
  expect (lock (LOCK), 2, 1, 1, 60, 50);
  expect (lock (OTHER_LOCK), 1, 1, 0, 30, 30);
}

/* T1 waits 1000..1100, T2 1020..1050 in between. */
static void
test_threads (void **state)
{
  (void) state;
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_buffer (&script, T2, 1010);
  script_monitor (&script, 1020, CONTENTION, LOCK);
  script_monitor (&script, 1050, DONE, LOCK);
  script_buffer (&script, T1, 1090);
  script_monitor (&script, 1100, DONE, LOCK);
  script_summarize (&script, &summary);
  expect (lock (LOCK), 2, 2, 0, 100 + 30, 100);
}

/* A contention whose end is missing has no wait; an end without contention has none either. */
static void
test_halves (void **state)
{
  (void) state;
  script_monitor (&script, 1000, DONE, LOCK);
  script_monitor (&script, 1010, CONTENTION, LOCK);
  script_monitor (&script, 1020, CONTENTION, LOCK);
  script_monitor (&script, 1025, DONE, LOCK);
  script_monitor (&script, 1030, FAIL, LOCK);
  script_monitor (&script, 1040, CONTENTION, LOCK);
  script_summarize (&script, &summary);
  expect (&summary.monitors.all, 3, 2, 1, 5, 5);
}

static void
test_time_runs_backwards (void **state)
{
  (void) state;
  script_monitor (&script, 1000, CONTENTION, LOCK);
  script_monitor (&script, 900, DONE, LOCK);
  script_summarize (&script, &summary);
  expect (&summary.monitors.all, 1, 1, 0, 0, 0);
}

/* The type of a lock comes from the mark right before a contention. */
static void
test_types (void **state)
{
  (void) state;
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

#define TEST(test) cmocka_unit_test_setup_teardown (test, begin, end)

int
main (void)
{
  const struct CMUnitTest tests[] = {
    TEST (test_waits), TEST (test_threads), TEST (test_halves), TEST (test_time_runs_backwards),
    TEST (test_types),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
