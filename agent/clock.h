/* clock.h -- the time of events: nanoseconds of CLOCK_MONOTONIC.
 *
 * Where the processor's time stamp counter runs at one rate on all cores, it is read instead, which
 * takes half the time, and scaled.  The scale is adjusted at intervals: without a leap, by a rate
 * that makes up for the error until the next adjustment.
 */
#ifndef AGENT_CLOCK_H
#define AGENT_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clock_scale {
  uint64_t tsc;
  uint64_t ns;   /* at `tsc` */
  uint64_t rate; /* ns in a count, times 2^32 */
};

/* NULL: the counter is not used. */
extern _Atomic (const struct clock_scale *) clock_scale;

/* Checks for such a counter and measures its rate, which takes a millisecond. */
void clock_start (void);

/* Adjusts the scale; only one thread may call it.  Returns the time to the next adjustment, in ns.
 */
uint64_t clock_adjust (void);

/* CLOCK_MONOTONIC, in ns. */
uint64_t clock_of_system (void);

/* The time by the counter; false if only clock_now can read it.  Counter and scale are of one
 * moment: a thread that is held up between them would otherwise get an earlier time the next time,
 * when the scale has become slower. */
static inline bool
clock_read (uint64_t *ns)
{
#ifdef __x86_64__
  const struct clock_scale *const s = atomic_load_explicit (&clock_scale, memory_order_acquire);
  if (__builtin_expect (s == NULL, 0))
    return false;
  const uint64_t counts = __builtin_ia32_rdtsc () - s->tsc;
  if (__builtin_expect (atomic_load_explicit (&clock_scale, memory_order_acquire) != s, 0)
      || __builtin_expect ((int64_t) counts < 0, 0))
    return false;
  *ns = s->ns + (uint64_t) ((unsigned __int128) counts * s->rate >> 32);
  return true;
#else
  (void) ns;
  return false;
#endif
}

/* The time where clock_read fails. */
uint64_t clock_read_slowly (void);

/* The time. */
static inline uint64_t
clock_now (void)
{
  uint64_t ns;
  return __builtin_expect (clock_read (&ns), 1) ? ns : clock_read_slowly ();
}

#endif
