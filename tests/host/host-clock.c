/* host-clock.c -- a clock that stands still until the scenario moves it on.
 *
 * It replaces clock_gettime for the module, too.  It is in the year 2096, so that no wait with a
 * deadline ends before its time.  While the module is initialised it runs backwards: so the module
 * finds no relation to the processor's counter, and uses this clock.
 */
#include "config.h"

#include "tests/host/test-host.h"
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_IN_SECOND UINT64_C (1000000000)
#define BEGIN_NS (4000000000 * NS_IN_SECOND)

static _Atomic bool is_scripted, is_settled;
static _Atomic uint64_t now_ns;

void
host_clock_start (void)
{
  atomic_store (&now_ns, BEGIN_NS);
  atomic_store (&is_scripted, true);
}

void
host_clock_settle (void)
{
  atomic_store (&now_ns, BEGIN_NS);
  atomic_store (&is_settled, true);
}

void
host_clock_advance (uint64_t ns)
{
  if (!atomic_load (&is_scripted))
    host_fail ("'clock' needs --scripted-clock");
  atomic_fetch_add (&now_ns, ns);
}

int
clock_gettime (clockid_t clock, struct timespec *time)
{
  if (!atomic_load (&is_scripted) || clock != CLOCK_MONOTONIC)
    return (int) syscall (SYS_clock_gettime, clock, time);
  const uint64_t ns
      = atomic_load (&is_settled) ? atomic_load (&now_ns) : atomic_fetch_sub (&now_ns, 1) - 1;
  time->tv_sec = (time_t) (ns / NS_IN_SECOND);
  time->tv_nsec = (long) (ns % NS_IN_SECOND);
  return 0;
}
