/* test-chance.c -- errors and probabilities that were computed by hand, or by enumeration. */
#include "config.h"

#include "decoder/core/chance.h"
#include "tests/unit/test.h"
#include <math.h>

#define NEAR(value, expected) assert_true (fabs ((value) - (expected)) < 0.0001)

/* Of Wilson's formula with z = 1.96. */
TEST (shares)
{
  const struct chance_interval half = chance_share (50, 100), none = chance_share (0, 10),
                               all = chance_share (205, 205), unknown = chance_share (0, 0);
  NEAR (half.low, 0.4038);
  NEAR (half.high, 0.5962);
  NEAR (chance_share_error (50, 100), 0.0962);
  NEAR (none.low, 0);
  NEAR (none.high, 0.2775);
  NEAR (all.high, 1);
  NEAR (chance_share_error (205, 205), 0.0092);
  NEAR (unknown.low, 0);
  NEAR (unknown.high, 1);
}

/* The exact ones, from a table of Poisson's distribution: 1: 0.025 to 5.572, 10: 4.795 to 18.390,
 * 100: 81.36 to 121.63. */
TEST (counts)
{
  static const struct {
    double count, low, high;
  } exact[] = { { 1, 0.025, 5.572 }, { 10, 4.795, 18.390 }, { 100, 81.36, 121.63 } };
  for (size_t i = 0; i < G_N_ELEMENTS (exact); i++) {
    const struct chance_interval c = chance_count (exact[i].count);
    assert_true (fabs (c.low - exact[i].low) < 0.02);
    assert_true (fabs (c.high - exact[i].high) < 0.02 * exact[i].count);
  }
  NEAR (chance_count (0).low, 0);
  assert_true (fabs (chance_count (0).high - 3.689) < 0.2);
}

TEST (weights)
{
  NEAR (chance_samples (100, 100), 100);  /* 100 samples of 1 */
  NEAR (chance_samples (700, 4900), 100); /* of 7 */
  NEAR (chance_samples (4, 10), 1.6);     /* 3 and 1 */
  NEAR (chance_samples (0, 0), 0);
}

/* A sum of 700 with a variance of 4900 has the error of a count of 100. */
TEST (test_estimates)
{
  const struct chance_interval hundred = chance_count (100), parts = chance_estimate (700, 4900),
                               exact = chance_estimate (700, 0), none = chance_estimate (0, 0);
  NEAR (parts.low, hundred.low / 100);
  NEAR (parts.high, hundred.high / 100);
  NEAR (exact.low, 1);
  NEAR (exact.high, 1);
  NEAR (none.high, 1);
}

#define GROUP(...) (double[]){ __VA_ARGS__ }, sizeof ((double[]){ __VA_ARGS__ }) / sizeof (double)
#define RUNS(distance, probability, ...)                                                           \
  {                                                                                                \
    double p;                                                                                      \
    assert_int_equal (chance_distance (__VA_ARGS__, &p), distance);                                \
    NEAR (p, probability);                                                                         \
  }

/* Of the (n + m)! / n! / m! orders of runs this many are as far apart, on either side. */
TEST (runs)
{
  RUNS (CHANCE_FEW, 1, GROUP (1), GROUP (2));
  RUNS (CHANCE_FEW, 2.0 / 6, GROUP (1, 2), GROUP (3, 4));
  RUNS (CHANCE_FEW, 2.0 / 20, GROUP (1, 2, 3), GROUP (4, 5, 6));
  RUNS (CHANCE_BEYOND, 2.0 / 70, GROUP (9, 7, 8, 6), GROUP (1, 3, 2, 4));
  RUNS (CHANCE_WITHIN, 4.0 / 70, GROUP (1, 2, 3, 5), GROUP (4, 6, 7, 8));  /* one pair */
  RUNS (CHANCE_WITHIN, 4.0 / 70, GROUP (1, 2, 3, 4), GROUP (4, 5, 6, 7));  /* likewise */
  RUNS (CHANCE_WITHIN, 24.0 / 70, GROUP (1, 2, 5, 6), GROUP (3, 4, 7, 8)); /* four pairs */
  RUNS (CHANCE_WITHIN, 1, GROUP (5, 5, 5), GROUP (5, 5, 5));
  RUNS (CHANCE_BEYOND, 2.0 / 6, GROUP (5, 5), GROUP (6, 6)); /* nothing varies */
}

/* The normal distribution of 20 runs of 20 each: its deviation is sqrt (20 * 20 * 41 / 12). */
TEST (many_runs)
{
  double base[20], now[20], p;
  guint pairs = 0;
  for (guint i = 0; i < 20; i++) {
    base[i] = 2 * i;
    now[i] = 2 * i + 13;
  }
  for (guint i = 0; i < 20; i++)
    for (guint k = 0; k < 20; k++)
      pairs += base[i] > now[k];
  const double z = (200.0 - pairs - 0.5) / sqrt (20 * 20 * 41 / 12.0);
  assert_int_equal (chance_distance (base, 20, now, 20, &p), CHANCE_BEYOND);
  NEAR (p, erfc (z / sqrt (2)));
}

TEST (needed)
{
  assert_int_equal (chance_runs (10, 10), 16); /* 2 * 2.8 * 2.8 */
  assert_int_equal (chance_runs (-5, 10), 63);
  assert_int_equal (chance_runs (5, 0), 4);
  assert_int_equal (chance_runs (1000, 1), 4); /* three may be apart by chance */
  assert_true (chance_runs (0, 1) == G_MAXUINT);
}
