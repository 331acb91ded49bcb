/* sampling.c -- draws the distances between sampling points. */
#include "config.h"

#include "profiler/options/sampling.h"
#include "agent/clock.h"
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

/* How many bytes there are before the next point: n or more with the probability
 * exp (-n / interval). */
static uint64_t
next_distance (struct sampling *s, uint64_t interval)
{
  /* In (0, 1]. */
  const double uniform = (double) ((next_random (&s->random) >> 11) + 1) * 0x1p-53;
  return (uint64_t) (-log (uniform) * (double) interval);
}

/* Where the next object may be for the address to show that it has no point.  Not after a large
 * object: the next may be large, too. */
static uint64_t
end_of_chunk (const struct sampling *s, uint64_t at, uint64_t size)
{
  if (size > SAMPLING_SMALL || s->point < SAMPLING_SMALL)
    return 0;
  const uint64_t end = s->point - SAMPLING_SMALL, section = (at | (SAMPLING_CHUNK - 1)) + 1;
  return end < section ? end : section;
}

/* Threads and runs differ. */
static void
begin (struct sampling *s)
{
  if (s->random == 0)
    s->random = (clock_now () ^ (uint64_t) (uintptr_t) s) * UINT64_C (0x9E3779B97F4A7C15) | 1;
}

uint64_t
sampling_distance (struct sampling *s, uint64_t interval)
{
  begin (s);
  return next_distance (s, interval);
}

bool
sampling_selects (struct sampling *s, uint64_t at, uint64_t size, uint64_t interval)
{
  begin (s);
  if (at <= s->last || at > s->point)
    s->point = at + next_distance (s, interval);
  const bool is_selected = s->point - at < size;
  if (is_selected)
    s->point = at + size + next_distance (s, interval);
  s->last = at;
  s->end = end_of_chunk (s, at, size);
  return is_selected;
}
