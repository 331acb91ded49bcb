/* clock.c -- measures and adjusts the scale of the time stamp counter. */
#include "config.h"

#include "agent/clock.h"
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

_Atomic (const struct clock_scale *) clock_scale;

uint64_t
clock_of_system (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

uint64_t
clock_read_slowly (void)
{
  uint64_t ns;
  /* If the scale changed during the first attempt, it does not again so soon. */
  return clock_read (&ns) ? ns : clock_of_system ();
}

#ifdef __x86_64__

#define MS UINT64_C (1000000)
#define FIRST_RATE_NS (1 * MS)   /* how long the first rate is measured */
#define FIRST_WAIT_NS (20 * MS)  /* the first adjustments come soon, */
#define LAST_WAIT_NS (5000 * MS) /* each after a wait four times as long as the last */
#define LEAP_NS (10 * MS)        /* such an error is no drift: the machine was asleep or moved */

/* A thread that was delayed may still use an old scale: the others are used before it changes. */
#define SCALES 256
static struct clock_scale scales[SCALES];
static unsigned last_scale;

struct moment {
  uint64_t tsc, ns;
};
static struct moment last; /* when the scale was set */
static uint64_t last_rate; /* the counter's, as last measured */
static uint64_t next_wait;

/* Both clocks at once, as nearly as can be. */
static struct moment
read_both (void)
{
  enum { TRIES = 8 };
  struct moment best = { 0 };
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < TRIES; i++) {
    const uint64_t before = __builtin_ia32_rdtsc (), ns = clock_of_system (),
                   after = __builtin_ia32_rdtsc ();
    if (after - before < shortest) {
      shortest = after - before;
      best = (struct moment){ before + (after - before) / 2, ns };
    }
  }
  return best;
}

/* 0: none. */
static uint64_t
rate_between (struct moment a, struct moment b)
{
  if (b.tsc <= a.tsc || b.ns <= a.ns)
    return 0;
  return (uint64_t) (((unsigned __int128) (b.ns - a.ns) << 32) / (b.tsc - a.tsc));
}

/* Whether the counter's rate never changes, and the kernel did not find that cores differ. */
static bool
counter_is_good (void)
{
  enum { INVARIANT_LEAF = 0x80000007, INVARIANT_BIT = 1 << 8 };
  static const char *const others[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies" };
  unsigned a, b, c, d;
  if (!__get_cpuid (INVARIANT_LEAF, &a, &b, &c, &d) || (d & INVARIANT_BIT) == 0)
    return false;
  int fd = open ("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                 O_RDONLY | O_CLOEXEC);
  char name[32] = "";
  if (fd >= 0) {
    const ssize_t n = read (fd, name, sizeof name - 1);
    name[n > 0 ? n : 0] = 0;
    name[strcspn (name, "\n")] = 0;
    close (fd);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp (name, others[i]) == 0)
      return false;
  return true;
}

static void
publish (struct clock_scale scale)
{
  last_scale = (last_scale + 1) % SCALES;
  scales[last_scale] = scale;
  atomic_store_explicit (&clock_scale, &scales[last_scale], memory_order_release);
}

void
clock_start (void)
{
  if (!counter_is_good ())
    return;
  struct moment now = last = read_both ();
  while (now.ns - last.ns < FIRST_RATE_NS)
    now = read_both ();
  last_rate = rate_between (last, now);
  last = now;
  if (last_rate == 0)
    return;
  publish ((struct clock_scale){ .tsc = now.tsc, .ns = now.ns, .rate = last_rate });
  next_wait = FIRST_WAIT_NS;
}

uint64_t
clock_adjust (void)
{
  const struct clock_scale *s = atomic_load_explicit (&clock_scale, memory_order_relaxed);
  if (s == NULL)
    return LAST_WAIT_NS;
  const struct moment now = read_both ();
  if (now.ns - last.ns < FIRST_RATE_NS) /* no time to measure a rate in */
    return next_wait;
  const uint64_t counts = now.tsc - s->tsc;
  const bool is_reset = (int64_t) counts < 0;
  const uint64_t shown
      = is_reset ? now.ns : s->ns + (uint64_t) ((unsigned __int128) counts * s->rate >> 32);
  const int64_t error = (int64_t) (now.ns - shown);
  const bool is_drift = error < (int64_t) LEAP_NS && error > -(int64_t) LEAP_NS;
  const uint64_t measured = rate_between (last, now);
  if (is_drift && measured != 0)
    last_rate = measured;
  last = now;
  next_wait = next_wait * 4 < LAST_WAIT_NS ? next_wait * 4 : LAST_WAIT_NS;

  /* Too late leaps; too early goes on, slower, at half the rate at most. */
  const uint64_t start = !is_drift && error > 0 ? now.ns : shown;
  int64_t more = (int64_t) ((__int128) (int64_t) last_rate * (int64_t) (now.ns - start)
                            / (int64_t) next_wait);
  if (more < -(int64_t) (last_rate / 2))
    more = -(int64_t) (last_rate / 2);
  /* A thread that just used the previous scale is ahead by the time since `now` times the decrease
   * of the rate: by less than 1 ns. */
  publish ((struct clock_scale){ now.tsc, start + 1, last_rate + (uint64_t) more });
  return next_wait;
}

#else

void
clock_start (void)
{
}

uint64_t
clock_adjust (void)
{
  return UINT64_MAX / 4;
}

#endif
