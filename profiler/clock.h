/* clock.h -- the time of events: nanoseconds of CLOCK_MONOTONIC. */
#ifndef PROFLOG_CLOCK_H
#define PROFLOG_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
clock_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

#endif
