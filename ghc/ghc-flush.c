/* ghc-flush.c -- requests flushes of the runtime at intervals. */
#include "config.h"

#include "ghc/ghc-flush.h"
#include "agent/clock.h"
#include "agent/native-thread.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum { MS = 1000000, END_MS = 5000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* by the steady clock */
static pthread_t thread;
static bool has_thread, over;
static void (*flush) (void);
static bool flushes_at_once;
static uint64_t interval, next; /* ns; 0: not at all */
static bool is_pending;         /* a flush was requested, and the thread has not begun it */
static uint64_t done;           /* number of flushes ... */
static uint64_t requested;      /* ... when the next one was requested without waiting */
/* For ghc_flush_is_due, which the runtime calls after collections and which must not wait for the
 * lock.  All stores are made with the lock; the one load needs no more than a value that is not
 * old. */
static _Atomic uint64_t due = UINT64_MAX;

/* With the lock: waits for a change, or until this time of clock_of_system. */
static void
wait_until (uint64_t until)
{
  const struct timespec t = { (time_t) (until / 1000000000u), (long) (until % 1000000000u) };
  if (until == UINT64_MAX)
    pthread_cond_wait (&changed, &lock);
  else
    pthread_cond_timedwait (&changed, &lock, &t);
}

static void
count_one (void)
{
  done++;
  next = clock_of_system () + interval;
  atomic_store (&due, interval != 0 ? next : UINT64_MAX);
  pthread_cond_broadcast (&changed);
}

static void *
run (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&lock);
  while (!over) {
    if (!is_pending && (interval == 0 || next > clock_of_system ())) {
      wait_until (interval != 0 ? next : UINT64_MAX);
      continue;
    }
    is_pending = false;
    next = clock_of_system () + interval;
    atomic_store (&due, 0);
    pthread_mutex_unlock (&lock);
    flush ();
    pthread_mutex_lock (&lock);
    if (flushes_at_once)
      count_one ();
  }
  pthread_mutex_unlock (&lock);
  return NULL;
}

void
ghc_flush_start (void (*how) (void), bool at_once, unsigned interval_ms)
{
  pthread_condattr_t attributes;
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&changed, &attributes);
  pthread_condattr_destroy (&attributes);
  flush = how;
  flushes_at_once = at_once;
  ghc_flush_set_interval (interval_ms);
  has_thread = how != NULL && native_thread_start (&thread, 0, run) == 0;
}

void
ghc_flush_set_interval (unsigned interval_ms)
{
  pthread_mutex_lock (&lock);
  interval = (uint64_t) interval_ms * MS;
  next = clock_of_system () + interval;
  atomic_store (&due, interval != 0 ? next : UINT64_MAX);
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
}

bool
ghc_flush_is_due (void)
{
  const uint64_t when = atomic_load (&due);
  return when != UINT64_MAX && !flushes_at_once && clock_of_system () >= when;
}

void
ghc_flush_is_done (void)
{
  pthread_mutex_lock (&lock);
  count_one ();
  pthread_mutex_unlock (&lock);
}

void
ghc_flush_request (void)
{
  pthread_mutex_lock (&lock);
  requested = done;
  atomic_store (&due, 0);
  pthread_mutex_unlock (&lock);
}

bool
ghc_flush_now (unsigned limit_ms, bool is_inside)
{
  const uint64_t until = clock_of_system () + limit_ms * (uint64_t) MS;
  pthread_mutex_lock (&lock);
  if (is_inside && !has_thread) {
    const bool was_done = done != requested;
    pthread_mutex_unlock (&lock);
    return was_done;
  }
  const uint64_t before = done;
  is_pending = true;
  atomic_store (&due, 0);
  pthread_cond_broadcast (&changed);
  while (done == before && !over && clock_of_system () < until)
    wait_until (until);
  const bool good = done != before;
  pthread_mutex_unlock (&lock);
  return good;
}

void
ghc_flush_finish (void)
{
  pthread_mutex_lock (&lock);
  over = true;
  atomic_store (&due, UINT64_MAX);
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  if (has_thread)
    native_thread_join (thread, END_MS);
}
