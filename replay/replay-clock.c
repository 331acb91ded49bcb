/* replay-clock.c -- how long the replay fires, without the time in which it reads the log. */
#include "config.h"

#include "replay/replay-private.h"
#include <time.h>

static uint64_t clock_started, firing_ns;

uint64_t
replay_clock_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

void
replay_clock_go (void)
{
  clock_started = replay_clock_now ();
}

void
replay_clock_stop (void)
{
  firing_ns += replay_clock_now () - clock_started;
}

uint64_t
replay_firing_ns (void)
{
  return firing_ns;
}
