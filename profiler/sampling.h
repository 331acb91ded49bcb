/* sampling.h -- which allocations are recorded when not all are.
 *
 * Points lie at random on the bytes that a thread allocates, one in `interval` of them on average,
 * as those of a Poisson process: the distances are independent and exponentially distributed.  An
 * object is recorded if there is a point on it, so one of size s is with the probability
 * 1 - exp (-s / interval), whatever was allocated before, and stands for the inverse of that many
 * of its size.
 */
#ifndef PROFLOG_SAMPLING_H
#define PROFLOG_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

/* A thread's; all 0 at first. */
struct sampling {
  uint64_t left;   /* the next point is on this byte from here, counted from 1 */
  uint64_t random; /* the state of a generator; 0: not begun */
};

/* The uncommon part of the following. */
bool sampling_take (struct sampling *s, uint64_t size, uint64_t interval);

/* An object of this size is allocated.  Whether it is to be recorded. */
static inline bool
sampling_hits (struct sampling *s, uint64_t size, uint64_t interval)
{
  if (__builtin_expect (size < s->left, 1)) {
    s->left -= size;
    return false;
  }
  return sampling_take (s, size, interval);
}

#endif
