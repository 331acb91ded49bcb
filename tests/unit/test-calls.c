/* test-calls.c -- calls, total and self times from enters and leaves. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "tests/unit/summary-test.h"

enum { T1 = 1, T2 = 2, A = 0xa000, B = 0xb000, C = 0xc000 };

static void
expect_method (uint64_t method, uint64_t calls, uint64_t total_ns, uint64_t self_ns)
{
  guint index = symbol_of (&summary, SYMBOL_METHOD, method);
  assert_true (index < STATE (calls)->methods->len);
  const struct method_sum *sum = &g_array_index (STATE (calls)->methods, struct method_sum, index);
  assert_int_equal (sum->calls, calls);
  assert_int_equal (sum->total_ns, total_ns);
  assert_int_equal (sum->self_ns, self_ns);
}

static void
expect_all (uint64_t total, uint64_t unmatched_leaves)
{
  assert_int_equal (STATE (calls)->total, total);
  assert_int_equal (STATE (calls)->unmatched_leaves, unmatched_leaves);
}

/* A 1000..1100 calls B 1010..1030 and C 1040..1090, which calls B 1050..1060. */
SUMMARY_TEST (test_callees)
{
  script_enter (&script, 1000, A);
  script_enter (&script, 1010, B);
  script_leave (&script, 1030, B);
  script_enter (&script, 1040, C);
  script_enter (&script, 1050, B);
  script_leave (&script, 1060, B);
  script_leave (&script, 1090, C);
  script_leave (&script, 1100, A);
  script_summarize (&script, &summary);
  expect_method (A, 1, 100, 100 - 20 - 50);
  expect_method (B, 2, 20 + 10, 20 + 10);
  expect_method (C, 1, 50, 50 - 10);
  expect_all (4, 0);
}

/* A calls itself to a depth of three: 1000..1100, 1010..1080, 1020..1040.  It takes 100 in all, not
 * 100 + 70 + 20; and all of that is its own.  A second outermost activation adds its 5. */
SUMMARY_TEST (test_recursion)
{
  script_enter (&script, 1000, A);
  script_enter (&script, 1010, A);
  script_enter (&script, 1020, A);
  script_leave (&script, 1040, A);
  script_leave (&script, 1080, A);
  script_leave (&script, 1100, A);
  script_enter (&script, 1200, A);
  script_leave (&script, 1205, A);
  script_summarize (&script, &summary);
  expect_method (A, 4, 105, 105);
  expect_all (4, 0);
}

/* A 1000..1100 calls B 1010..1090, B calls A 1020..1080, A calls B 1030..1040.
 * total: A 100, B 80.  self: A 100-80 + 60-10 = 70, B 80-60 + 10 = 30; together 100. */
SUMMARY_TEST (test_mutual_recursion)
{
  script_enter (&script, 1000, A);
  script_enter (&script, 1010, B);
  script_enter (&script, 1020, A);
  script_enter (&script, 1030, B);
  script_leave (&script, 1040, B);
  script_leave (&script, 1080, A);
  script_leave (&script, 1090, B);
  script_leave (&script, 1100, A);
  script_summarize (&script, &summary);
  expect_method (A, 2, 100, 70);
  expect_method (B, 2, 80, 30);
}

/* C throws through B to A, which catches at 1060 and goes on. */
SUMMARY_TEST (test_left_by_exceptions)
{
  script_enter (&script, 1000, A);
  script_enter (&script, 1010, B);
  script_enter (&script, 1020, C);
  script_exc_leave (&script, 1050, C);
  script_exc_leave (&script, 1060, B);
  script_enter (&script, 1070, C);
  script_leave (&script, 1075, C);
  script_leave (&script, 1100, A);
  script_summarize (&script, &summary);
  expect_method (A, 1, 100, 100 - 50 - 5);
  expect_method (B, 1, 50, 50 - 30);
  expect_method (C, 2, 30 + 5, 30 + 5);
  expect_all (4, 0);
}

/* A leave of A while B and C are open above it: they end with it. */
SUMMARY_TEST (test_leaves_are_missing)
{
  script_enter (&script, 1000, A);
  script_enter (&script, 1010, B);
  script_enter (&script, 1030, C);
  script_leave (&script, 1100, A);
  script_summarize (&script, &summary);
  expect_method (A, 1, 100, 10);
  expect_method (B, 1, 90, 20);
  expect_method (C, 1, 70, 70);
  expect_all (3, 0);
}

/* Leaves of methods that are not open change nothing: before any enter, inside of A, and once too
 * often. */
SUMMARY_TEST (test_enters_are_missing)
{
  script_leave (&script, 1000, A);
  script_enter (&script, 1010, A);
  script_leave (&script, 1020, B);
  script_exc_leave (&script, 1030, C);
  script_leave (&script, 1110, A);
  script_leave (&script, 1120, A);
  script_summarize (&script, &summary);
  expect_method (A, 1, 100, 100);
  expect_all (1, 4);
}

/* An open call at the end ends with the last event of its thread (1080), not of the log (5000). */
SUMMARY_TEST (test_open_at_the_end)
{
  script_enter (&script, 1000, A);
  script_enter (&script, 1020, B);
  script_alloc (&script, 1080, 0x100, 0x200, 8);
  script_buffer (&script, T2, 4000);
  script_alloc (&script, 5000, 0x100, 0x208, 8);
  script_summarize (&script, &summary);
  expect_method (A, 1, 80, 20);
  expect_method (B, 1, 60, 60);
}

/* Stacks are per thread, and go on over buffers: T1 has A 1000..1500 with B 1400..1410, T2 has
 * B 1100..1200 with A 1110..1150.  Neither is a recursion. */
SUMMARY_TEST (test_interleaved_threads)
{
  script_enter (&script, 1000, A);
  script_buffer (&script, T2, 1090);
  script_enter (&script, 1100, B);
  script_enter (&script, 1110, A);
  script_buffer (&script, T1, 1390);
  script_enter (&script, 1400, B);
  script_buffer (&script, T2, 1140);
  script_leave (&script, 1150, A);
  script_leave (&script, 1200, B);
  script_buffer (&script, T1, 1405);
  script_leave (&script, 1410, B);
  script_leave (&script, 1500, A);
  script_buffer (&script, T2, 1600);
  script_enter (&script, 1600, A);
  script_leave (&script, 1601, A);
  script_summarize (&script, &summary);
  expect_method (A, 3, 500 + 40 + 1, 490 + 40 + 1);
  expect_method (B, 2, 10 + 100, 10 + 60);
  expect_all (5, 0);
}

/* Damage may have the time run backwards: no time then, and never a huge one. */
SUMMARY_TEST (test_time_runs_backwards)
{
  script_enter (&script, 1000, A);
  script_enter (&script, 1010, B);
  script_leave (&script, 1005, B);
  script_enter (&script, 1010, B);
  script_leave (&script, 1060, B);
  script_leave (&script, 1020, A);
  script_summarize (&script, &summary);
  expect_method (A, 1, 20, 0);
  expect_method (B, 2, 50, 50);
}

/* Frames enough for several merges, and for the outer ones to be packed. */
enum { DEEP = 600000, DEEP_BUFFER = 50000 };

/* When the last of them is left. */
#define DEEP_END (1003 + 3 * (uint64_t) DEEP)

/* A at 1000, B in it at 1003, in that B at 1006 and so on, each after 1 ns in C. */
static void
enter_deep (void)
{
  script_enter (&script, 1000, A);
  for (uint64_t i = 1; i <= DEEP; i++) {
    if (i % DEEP_BUFFER == 0)
      script_buffer (&script, T1, 1000 + 3 * i);
    script_enter (&script, 1000 + 3 * i, B);
    script_enter (&script, 1001 + 3 * i, C);
    script_leave (&script, 1002 + 3 * i, C);
  }
}

SUMMARY_TEST (test_deep)
{
  enter_deep ();
  for (uint64_t i = 1; i <= DEEP; i++) {
    if (i % DEEP_BUFFER == 0)
      script_buffer (&script, T1, DEEP_END + i);
    script_leave (&script, DEEP_END + i, B);
  }
  script_leave (&script, DEEP_END + DEEP + 1, A);
  script_summarize (&script, &summary);
  expect_method (C, DEEP, DEEP, DEEP);
  expect_method (B, DEEP, DEEP_END + DEEP - 1003, DEEP_END - 1003);
  expect_method (A, 1, DEEP_END + DEEP + 1 - 1000, 3 + 1);
  expect_all (2 * DEEP + 1, 0);
}

/* All of them are left with A. */
SUMMARY_TEST (test_deep_left_at_once)
{
  enter_deep ();
  script_buffer (&script, T1, DEEP_END);
  script_leave (&script, DEEP_END, A);
  script_summarize (&script, &summary);
  expect_method (C, DEEP, DEEP, DEEP);
  expect_method (B, DEEP, DEEP_END - 1003, DEEP_END - 1003 - DEEP);
  expect_method (A, 1, DEEP_END - 1000, 3);
  expect_all (2 * DEEP + 1, 0);
}
