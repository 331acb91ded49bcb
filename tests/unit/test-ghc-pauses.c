/* test-ghc-pauses.c -- percentiles of durations; what pauses leave of windows of time. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-pauses.h"
#include "tests/unit/test.h"

TEST (test_percentiles)
{
  struct ghc_durations d = { 0 };
  assert_int_equal (ghc_durations_at (&d, 500), 0);
  for (unsigned i = 1; i <= 200; i++)
    ghc_durations_add (&d, i);
  assert_int_equal (ghc_durations_at (&d, 500), 100);
  assert_int_equal (ghc_durations_at (&d, 990), 198);
  assert_int_equal (ghc_durations_at (&d, 999), 200);
  assert_int_equal (ghc_durations_at (&d, 1000), 200);
  assert_int_equal (ghc_durations_at (&d, 1), 1);
  assert_int_equal (d.total_ns, 20100);
  ghc_durations_clear (&d);
}

/* Above 256 ns they are at most one 128th too long, and never too short. */
TEST (test_precision)
{
  for (unsigned power = 8; power < 64; power++)
    for (unsigned i = 0; i < 50; i++) {
      const guint64 ns
          = (G_GUINT64_CONSTANT (1) << power) + (G_GUINT64_CONSTANT (1) << power) / 50 * i;
      struct ghc_durations d = { 0 };
      ghc_durations_add (&d, ns);
      ghc_durations_add (&d, G_MAXUINT64);
      const guint64 found = ghc_durations_at (&d, 500);
      assert_true (found >= ns);
      assert_true (found - ns <= ns / 128);
      ghc_durations_clear (&d);
    }
}

TEST (test_merge)
{
  struct ghc_durations a = { 0 }, b = { 0 };
  ghc_durations_add (&b, 100);
  ghc_durations_add (&b, 70000);
  ghc_durations_merge (&a, &b);
  ghc_durations_add (&a, 200);
  ghc_durations_merge (&a, &b);
  assert_int_equal (a.count, 5);
  assert_int_equal (a.total_ns, 140400);
  assert_int_equal (a.max_ns, 70000);
  assert_int_equal (ghc_durations_at (&a, 400), 100);
  assert_int_equal (ghc_durations_at (&a, 600), 200);
  assert_int_equal (ghc_durations_at (&a, 1000), 70000);
  ghc_durations_clear (&a);
  ghc_durations_clear (&b);
}

#define MS G_GUINT64_CONSTANT (1000000)

/* Three pauses of 0.2 ms in 1 ms, from the first on; of 10 ms, one of 3 ms more. */
TEST (test_utilisation)
{
  struct ghc_utilisation u;
  ghc_utilisation_init (&u);
  assert_int_equal (ghc_utilisation_paused (&u, 0), 0);
  ghc_utilisation_add (&u, 5 * MS, 5 * MS + MS / 5);
  ghc_utilisation_add (&u, 5 * MS + 2 * MS / 5, 5 * MS + 3 * MS / 5);
  /* The last one goes beyond 1 ms from the first's start: 0.1 of it counts from there, and from its
   * end back 0.1 of the first is lost. */
  ghc_utilisation_add (&u, 5 * MS + 9 * MS / 10, 5 * MS + 11 * MS / 10);
  assert_int_equal (ghc_utilisation_paused (&u, 0), MS / 2);
  assert_int_equal (ghc_utilisation_paused (&u, 1), 6 * MS / 10);
  ghc_utilisation_add (&u, 12 * MS, 15 * MS);
  assert_int_equal (ghc_utilisation_paused (&u, 0), MS);
  assert_int_equal (ghc_utilisation_paused (&u, 1), 36 * MS / 10);
  assert_int_equal (ghc_utilisation_paused (&u, 3), 36 * MS / 10);
  /* What overlaps counts once. */
  ghc_utilisation_add (&u, 14 * MS, 16 * MS);
  assert_int_equal (ghc_utilisation_paused (&u, 2), 46 * MS / 10);
  ghc_utilisation_clear (&u);
}

/* Against all windows that begin or end at any time. */
TEST (test_utilisation_of_random_pauses)
{
  GRand *random = g_rand_new_with_seed (7);
  for (unsigned run = 0; run < 200; run++) {
    enum { N = 40 };
    guint64 starts[N], ends[N], at = 0, most = 0;
    const guint64 step = MS / 50;
    struct ghc_utilisation u;
    ghc_utilisation_init (&u);
    for (unsigned i = 0; i < N; i++) {
      starts[i] = at + step * (guint) g_rand_int_range (random, 0, run % 2 == 0 ? 8 : 60);
      ends[i] = starts[i] + step * (guint) g_rand_int_range (random, 1, 10);
      at = ends[i];
      ghc_utilisation_add (&u, starts[i], ends[i]);
    }
    for (guint64 from = 0; from <= at; from += step) {
      guint64 paused = 0;
      for (unsigned i = 0; i < N; i++) {
        const guint64 a = MAX (starts[i], from), b = MIN (ends[i], from + MS);
        paused += b > a ? b - a : 0;
      }
      most = MAX (most, paused);
    }
    assert_int_equal (ghc_utilisation_paused (&u, 0), most);
    ghc_utilisation_clear (&u);
  }
  g_rand_free (random);
}
