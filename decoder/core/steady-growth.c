/* steady-growth.c -- compares sizes with those before them. */
#include "config.h"

#include "decoder/core/steady-growth.h"

/* Of this many sizes, one may be no larger than the one before, if it is not the last. */
enum { MANY = 6 };

/* Of this many, the first half is compared with the second. */
enum { HALVES_MIN = 5 };

/* The last step is at least this part of the average step. */
#define LAST_STEP 0.25

static bool
slows_down (const double *sizes, unsigned n)
{
  const double last = sizes[n - 1];
  return n >= HALVES_MIN && last - sizes[n / 2] < (last - sizes[n / 4]) / 2;
}

bool
steady_growth (const double *sizes, unsigned n)
{
  unsigned steps = 0;
  if (n < STEADY_GROWTH_MIN || sizes[n - 1] <= sizes[0])
    return false;
  for (unsigned i = 1; i < n; i++)
    steps += sizes[i] > sizes[i - 1];
  const double average = (sizes[n - 1] - sizes[0]) / (n - 1);
  return steps + (n >= MANY) >= n - 1 && sizes[n - 1] - sizes[n - 2] >= LAST_STEP * average
         && !slows_down (sizes, n);
}
