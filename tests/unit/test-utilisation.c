/* test-utilisation.c -- the part of windows of time without pauses. */
#include "config.h"

#include "decoder/core/utilisation.h"
#include "tests/unit/test.h"

#define MS G_GUINT64_CONSTANT (1000000)

/* Three pauses of 0.2 ms in 1 ms, from the first on; of 10 ms, one of 3 ms more. */
TEST (test_utilisation)
{
  struct utilisation u;
  utilisation_init (&u);
  assert_int_equal (utilisation_paused (&u, 3), 0);
  utilisation_add (&u, 5 * MS, 5 * MS + MS / 5);
  utilisation_add (&u, 5 * MS + 2 * MS / 5, 5 * MS + 3 * MS / 5);
  /* The last one goes beyond 1 ms from the first's start: 0.1 of it counts from there, and from its
   * end back 0.1 of the first is lost. */
  utilisation_add (&u, 5 * MS + 9 * MS / 10, 5 * MS + 11 * MS / 10);
  assert_int_equal (utilisation_paused (&u, 3), MS / 2);
  assert_int_equal (utilisation_paused (&u, 6), 6 * MS / 10);
  utilisation_add (&u, 12 * MS, 15 * MS);
  assert_int_equal (utilisation_paused (&u, 3), MS);
  assert_int_equal (utilisation_paused (&u, 6), 36 * MS / 10);
  assert_int_equal (utilisation_paused (&u, 12), 36 * MS / 10);
  /* Overlapping time counts once. */
  utilisation_add (&u, 14 * MS, 16 * MS);
  assert_int_equal (utilisation_paused (&u, 9), 46 * MS / 10);
  utilisation_clear (&u);
}

/* Against all windows that begin or end at any time. */
TEST (test_utilisation_of_random_pauses)
{
  GRand *random = g_rand_new_with_seed (7);
  for (unsigned run = 0; run < 200; run++) {
    enum { N = 40 };
    guint64 starts[N], ends[N], at = 0, most = 0;
    const guint64 step = MS / 50;
    struct utilisation u;
    utilisation_init (&u);
    for (unsigned i = 0; i < N; i++) {
      starts[i] = at + step * (guint) g_rand_int_range (random, 0, run % 2 == 0 ? 8 : 60);
      ends[i] = starts[i] + step * (guint) g_rand_int_range (random, 1, 10);
      at = ends[i];
      utilisation_add (&u, starts[i], ends[i]);
    }
    for (guint64 from = 0; from <= at; from += step) {
      guint64 paused = 0;
      for (unsigned i = 0; i < N; i++) {
        const guint64 a = MAX (starts[i], from), b = MIN (ends[i], from + MS);
        paused += b > a ? b - a : 0;
      }
      most = MAX (most, paused);
    }
    assert_int_equal (utilisation_paused (&u, 3), most);
    utilisation_clear (&u);
  }
  g_rand_free (random);
}

TEST (test_left)
{
  assert_int_equal (utilisation_left (0, 7), 1000);
  assert_int_equal (utilisation_left (1, 3), 666);
  assert_int_equal (utilisation_left (8, 7), 0);
  assert_int_equal (utilisation_left (0, 0), 0);
  assert_int_equal (utilisation_left (G_MAXUINT64 / 4, G_MAXUINT64 / 2), 500);
}
