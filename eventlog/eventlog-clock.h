/* eventlog-clock.h -- the clock of writers of eventlogs. */
#ifndef PROFLOG_EVENTLOG_CLOCK_H
#define PROFLOG_EVENTLOG_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, in ns. */
static inline uint64_t
eventlog_system_clock (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

#endif
