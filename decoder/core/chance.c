/* chance.c -- errors of shares, and a test of ranks. */
#include "config.h"

#include "decoder/core/chance.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct chance_interval
chance_share (double hits, double of)
{
  if (of <= 0)
    return (struct chance_interval){ 0, 1 };
  const double z = CHANCE_95, share = CLAMP (hits / of, 0, 1), scale = 1 + z * z / of;
  const double middle = (share + z * z / (2 * of)) / scale;
  const double half = z / scale * sqrt (share * (1 - share) / of + z * z / (4 * of * of));
  return (struct chance_interval){ MAX (middle - half, 0), MIN (middle + half, 1) };
}

double
chance_share_error (double hits, double of)
{
  const struct chance_interval i = chance_share (hits, of);
  return (i.high - i.low) / 2;
}

static double
byar (double count, double z)
{
  const double root = 1 - 1 / (9 * count) + z / (3 * sqrt (count));
  return count > 0 ? count * root * root * root : 0;
}

struct chance_interval
chance_count (double count)
{
  return (struct chance_interval){ MAX (byar (count, -CHANCE_95), 0), byar (count + 1, CHANCE_95) };
}

struct chance_interval
chance_estimate (double sum, double variance)
{
  const double count = variance > 0 ? sum * sum / variance : 0;
  const struct chance_interval c = chance_count (count);
  return count > 0 ? (struct chance_interval){ c.low / count, c.high / count }
                   : (struct chance_interval){ 1, 1 };
}

double
chance_samples (double sum, double sum_of_squares)
{
  return sum_of_squares > 0 ? sum * sum / sum_of_squares : 0;
}

static int
compare_amounts (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Pairs of an amount of each side of which that of `base` is smaller, and those that are equal. */
static void
count_pairs (const double *base, guint n_base, const double *now, guint n_now, guint *smaller,
             guint *equal)
{
  *smaller = *equal = 0;
  for (guint i = 0; i < n_base; i++)
    for (guint k = 0; k < n_now; k++) {
      *smaller += base[i] < now[k];
      *equal += base[i] == now[k];
    }
}

/* Of all orders of n and m things, the share of those in which at most `pairs` pairs have the
 * second thing before the first.  These are as many as there are ways to write a sum of at most
 * `pairs` as n numbers of 0 to m. */
static double
share_of_orders (guint n, guint m, guint pairs)
{
  const guint all = n * m;
  g_autofree double *ways = g_new0 (double, (gsize) (n + 1) * (all + 1)); /* of this many numbers */
  ways[0] = 1;
  for (guint number = 0; number <= m; number++)
    for (guint numbers = 1; numbers <= n; numbers++)
      for (guint sum = number; sum <= all; sum++)
        ways[numbers * (all + 1) + sum] += ways[(numbers - 1) * (all + 1) + sum - number];
  double few = 0, sum = 0;
  for (guint i = 0; i <= all; i++) {
    sum += ways[n * (all + 1) + i];
    few += i <= pairs ? ways[n * (all + 1) + i] : 0;
  }
  return few / sum;
}

/* The normal distribution that many runs come close to; half a pair is a number's own width. */
static double
share_of_many (double n, double m, double pairs)
{
  const double deviation = sqrt (n * m * (n + m + 1) / 12);
  return erfc ((n * m / 2 - pairs - 0.5) / deviation / sqrt (2)) / 2;
}

/* The exact one takes n * n * m * m steps. */
#define EXACT_RUNS 20

#define CHANCE_MAX 0.05

enum chance_distance
chance_distance (double *base, guint n_base, double *now, guint n_now, double *probability)
{
  guint smaller, equal;
  qsort (base, n_base, sizeof *base, compare_amounts);
  qsort (now, n_now, sizeof *now, compare_amounts);
  count_pairs (base, n_base, now, n_now, &smaller, &equal);
  const guint larger = n_base * n_now - smaller - equal, odd = MIN (smaller, larger) + equal;
  const double side = n_base + n_now <= EXACT_RUNS ? share_of_orders (n_base, n_now, odd)
                                                   : share_of_many (n_base, n_now, odd);
  const bool are_steady
      = n_base > 1 && n_now > 1 && base[0] == base[n_base - 1] && now[0] == now[n_now - 1];
  *probability = MIN (1, 2 * side);
  if (*probability <= CHANCE_MAX || (odd == 0 && are_steady))
    return CHANCE_BEYOND;
  return odd == 0 ? CHANCE_FEW : CHANCE_WITHIN;
}

/* Standard deviations that a change is above the limit of 95 % in four of five cases. */
#define POWER_80 0.84

guint
chance_runs (double change, double deviation)
{
  const double sum = (CHANCE_95 + POWER_80) * deviation / fabs (change);
  const double runs = ceil (2 * sum * sum);
  return change == 0 || !(runs < G_MAXINT) ? G_MAXUINT : MAX ((guint) runs, CHANCE_RUNS_MIN);
}
