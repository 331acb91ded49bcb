/* test-durations.c -- percentiles and histograms of durations. */
#include "config.h"

#include "decoder/core/durations.h"
#include "tests/unit/test.h"

TEST (test_percentiles)
{
  struct durations d = { 0 };
  assert_int_equal (durations_at (&d, 500), 0);
  for (unsigned i = 1; i <= 200; i++)
    durations_add (&d, i);
  assert_int_equal (durations_at (&d, 500), 100);
  assert_int_equal (durations_at (&d, 990), 198);
  assert_int_equal (durations_at (&d, 999), 200);
  assert_int_equal (durations_at (&d, 1000), 200);
  assert_int_equal (durations_at (&d, 1), 1);
  assert_int_equal (durations_at (&d, 0), 1);
  assert_int_equal (d.total_ns, 20100);
  durations_clear (&d);
}

/* Above 256 ns they are at most one 128th too long, and never too short. */
TEST (test_precision)
{
  for (unsigned power = 8; power < 64; power++)
    for (unsigned i = 0; i < 50; i++) {
      const guint64 ns
          = (G_GUINT64_CONSTANT (1) << power) + (G_GUINT64_CONSTANT (1) << power) / 50 * i;
      struct durations d = { 0 };
      durations_add (&d, ns);
      durations_add (&d, G_MAXUINT64);
      const guint64 found = durations_at (&d, 500);
      assert_true (found >= ns);
      assert_true (found - ns <= ns / 128);
      durations_clear (&d);
    }
}

TEST (test_merge)
{
  struct durations a = { 0 }, b = { 0 };
  durations_add (&b, 100);
  durations_add (&b, 70000);
  durations_merge (&a, &b);
  durations_add (&a, 200);
  durations_merge (&a, &b);
  assert_int_equal (a.count, 5);
  assert_int_equal (a.total_ns, 140400);
  assert_int_equal (a.max_ns, 70000);
  assert_int_equal (durations_at (&a, 400), 100);
  assert_int_equal (durations_at (&a, 600), 200);
  assert_int_equal (durations_at (&a, 1000), 70000);
  durations_clear (&a);
  durations_clear (&b);
}

static void
expect_step (const struct durations *d, unsigned step, guint64 from, guint64 to, guint64 count,
             guint64 total)
{
  const struct duration_step s = durations_step (d, step);
  assert_int_equal (s.from_ns, from);
  assert_int_equal (s.to_ns, to);
  assert_int_equal (s.count, count);
  assert_int_equal (s.total_ns, total);
}

/* Steps contain their beginning and not their end. */
TEST (test_histogram)
{
  struct durations d = { 0 }, sum = { 0 };
  unsigned first, end;
  assert_false (durations_steps (&d, &first, &end));
  expect_step (&d, 3, 5000, 10000, 0, 0);
  durations_add (&d, 1000);
  durations_add (&d, 1999);
  durations_add (&d, 5000);
  durations_merge (&sum, &d);
  durations_merge (&sum, &d);
  assert_true (durations_steps (&sum, &first, &end));
  assert_int_equal (first, 1);
  assert_int_equal (end, 4);
  expect_step (&sum, 1, 1000, 2000, 4, 5998);
  expect_step (&sum, 2, 2000, 5000, 0, 0);
  expect_step (&sum, 3, 5000, 10000, 2, 10000);
  durations_add (&sum, 0);
  durations_add (&sum, 999);
  durations_add (&sum, G_GUINT64_CONSTANT (999999999999));
  durations_add (&sum, G_GUINT64_CONSTANT (1000000000000));
  expect_step (&sum, 0, 0, 1000, 2, 999);
  expect_step (&sum, 27, G_GUINT64_CONSTANT (500000000000), G_GUINT64_CONSTANT (1000000000000), 1,
               G_GUINT64_CONSTANT (999999999999));
  expect_step (&sum, 28, G_GUINT64_CONSTANT (1000000000000), G_GUINT64_CONSTANT (1000000000001), 1,
               G_GUINT64_CONSTANT (1000000000000));
  assert_true (durations_steps (&sum, &first, &end));
  assert_int_equal (first, 0);
  assert_int_equal (end, DURATION_STEPS);
  durations_clear (&d);
  durations_clear (&sum);
}
