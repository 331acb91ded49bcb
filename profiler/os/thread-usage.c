/* thread-usage.c -- the beginning of each thread's interval, on two clocks. */
#include "config.h"

#include "profiler/os/thread-usage.h"
#include "agent/clock.h"
#include <stdatomic.h>
#include <time.h>

/* How often all intervals were dropped, + 1. */
static _Atomic unsigned period = 1;

static _Thread_local struct {
  unsigned period; /* 0: none began */
  uint64_t wall, cpu;
} begun __attribute__ ((tls_model ("initial-exec")));

static uint64_t
cpu_now (void)
{
  struct timespec now;
  if (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now) != 0)
    return 0;
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

void
thread_usage_begin (void)
{
  begun.period = atomic_load_explicit (&period, memory_order_relaxed);
  begun.cpu = cpu_now ();
  begun.wall = clock_now ();
}

bool
thread_usage_read (struct thread_usage *usage)
{
  const uint64_t wall = clock_now (), cpu = cpu_now ();
  if (begun.period != atomic_load_explicit (&period, memory_order_relaxed) || wall < begun.wall
      || cpu < begun.cpu)
    return false;
  usage->elapsed = wall - begun.wall;
  usage->cpu = cpu - begun.cpu < usage->elapsed ? cpu - begun.cpu : usage->elapsed;
  return true;
}

void
thread_usage_drop_all (void)
{
  atomic_fetch_add_explicit (&period, 1, memory_order_relaxed);
}
