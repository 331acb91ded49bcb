/* test-clock.c -- the scaled counter against the system's clock. */
#include "config.h"

#include "agent/clock.h"
#include "tests/unit/test.h"
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#define MS INT64_C (1000000)

static void
sleep_ms (long ms)
{
  nanosleep (&(struct timespec){ .tv_nsec = ms * MS }, NULL);
}

/* How much later clock_now is than the system's clock; as near as a number of tries comes. */
static int64_t
difference (void)
{
  int64_t best = INT64_MAX, width = INT64_MAX;
  for (int i = 0; i < 1000; i++) {
    const uint64_t before = clock_of_system (), now = clock_now (), after = clock_of_system ();
    if ((int64_t) (after - before) < width) {
      width = (int64_t) (after - before);
      best = (int64_t) (now - before - (after - before) / 2);
    }
  }
  return best;
}

static void
assert_near (int64_t limit)
{
  const int64_t found = difference ();
  if (found > limit || found < -limit)
    fail_msg ("the clock is off by %lld ns", (long long) found);
}

/* Before the start, and where there is no counter: the system's. */
TEST (test_without)
{
  assert_null (atomic_load (&clock_scale));
  assert_near (20000);
}

/* A rate measured in a millisecond is exact to some 1/10000; its error is made up for. */
TEST (test_drift)
{
  clock_start ();
  if (atomic_load (&clock_scale) == NULL)
    skip ();
  sleep_ms (20);
  assert_near (20000);
  assert_true (clock_adjust () == 80u * MS);
  sleep_ms (80);
  assert_true (clock_adjust () == 320u * MS);
  assert_near (20000);
}

/* A scale that is wrong: too slow is made up for, far behind leaps, far ahead waits and never goes
 * back. */
static void
set_wrong (int64_t ns, double factor)
{
  static struct clock_scale wrong;
  const struct clock_scale *s = atomic_load (&clock_scale);
  wrong = (struct clock_scale){ .tsc = s->tsc,
                                .ns = s->ns + (uint64_t) ns,
                                .rate = (uint64_t) ((double) s->rate * factor) };
  atomic_store (&clock_scale, &wrong);
}

TEST (test_wrong)
{
  if (atomic_load (&clock_scale) == NULL)
    skip ();
  sleep_ms (20);
  clock_adjust ();
  sleep_ms (20);
  set_wrong (-1 * MS, 1);
  const int64_t wait = (int64_t) clock_adjust (), start = (int64_t) clock_of_system ();
  const int64_t behind = difference ();
  assert_true (behind < -900000 && behind > -1100000);
  sleep_ms (200);
  /* So much of it is made up for by now. */
  const int64_t expected = -1 * MS + MS * ((int64_t) clock_of_system () - start) / wait;
  assert_true (difference () > expected - 50000 && difference () < expected + 50000);

  sleep_ms (20);
  set_wrong (-1000 * MS, 1);
  clock_adjust ();
  assert_near (20000);

  sleep_ms (20);
  set_wrong (100 * MS, 1);
  const uint64_t before = clock_now ();
  clock_adjust ();
  assert_true (clock_now () > before);
  const int64_t ahead = difference ();
  sleep_ms (50);
  assert_true (clock_now () > before + 20u * MS); /* at half the rate at least */
  assert_true (difference () < ahead);
  assert_true (ahead > 99 * MS);

  /* Half the rate, and no less however often it is set. */
  set_wrong (100000 * MS, 1);
  for (int i = 0; i < 4; i++) {
    sleep_ms (2);
    clock_adjust ();
  }
  const uint64_t slow = clock_now (), slow_start = clock_of_system ();
  sleep_ms (20);
  assert_true (clock_now () - slow > (clock_of_system () - slow_start) * 2 / 5);
}

static _Atomic bool stop;

static void *
read_on (void *backward)
{
  uint64_t last = clock_now (), longest = 0;
  while (!atomic_load_explicit (&stop, memory_order_relaxed)) {
    const uint64_t now = clock_now ();
    if (now < last && last - now > longest)
      longest = last - now;
    last = now;
  }
  *(uint64_t *) backward = longest;
  return NULL;
}

/* A thread's time goes back hardly at all while the scale changes: by the difference of the rates
 * while the one that sets it is held up. */
TEST (test_forward)
{
  pthread_t thread;
  uint64_t backward = 1;
  clock_start ();
  assert_int_equal (pthread_create (&thread, NULL, read_on, &backward), 0);
  for (int i = 0; i < 200; i++) {
    sleep_ms (2);
    clock_adjust ();
  }
  atomic_store (&stop, true);
  pthread_join (thread, NULL);
  assert_true (backward < 10000);
}
