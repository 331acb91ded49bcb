/* sampling.c -- see sampling.h. */
#include "profiler/sampling.h"
#include "profiler/clock.h"
#include <math.h>

/* xorshift64*: a period of 2^64 - 1, and its high bits are good enough for any statistics here. */
static uint64_t
next_random (uint64_t *state)
{
  uint64_t x = *state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return x * UINT64_C (0x2545F4914F6CDD1D);
}

/* The next point is on the byte of this number from here, 1 and up: it is behind the first n with
 * the probability exp (-n / interval). */
static uint64_t
next_distance (struct sampling *s, uint64_t interval)
{
  /* In (0, 1]. */
  const double uniform = (double) ((next_random (&s->random) >> 11) + 1) * 0x1p-53;
  return 1 + (uint64_t) (-log (uniform) * (double) interval);
}

bool
sampling_take (struct sampling *s, uint64_t size, uint64_t interval)
{
  if (s->random == 0) {
    /* Threads and runs differ. */
    s->random = (clock_now () ^ (uint64_t) (uintptr_t) s) * UINT64_C (0x9E3779B97F4A7C15) | 1;
    s->left = next_distance (s, interval);
    if (size < s->left) {
      s->left -= size;
      return false;
    }
  }
  /* More points on the object do not count, and how far it is to the next one behind it does not
   * depend on those before. */
  s->left = next_distance (s, interval);
  return true;
}
