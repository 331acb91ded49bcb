/* fixed-clock.c -- preloaded by compare-builds: a clock that each reading moves on by 100 ns, so
 * that the times in a log, and the bytes that they take, do not depend on the machine.  It begins
 * in the year 2096, so that no wait with a deadline ends before its time. */
#define _GNU_SOURCE
#include <time.h>

enum { NS_IN_SECOND = 1000000000 };

static const time_t begin = 4000000000;
static long long read_ns;

int
clock_gettime (clockid_t clock, struct timespec *time)
{
  long long ns = __atomic_add_fetch (&read_ns, 100, __ATOMIC_RELAXED);
  (void) clock;
  time->tv_sec = begin + (time_t) (ns / NS_IN_SECOND);
  time->tv_nsec = (long) (ns % NS_IN_SECOND);
  return 0;
}
