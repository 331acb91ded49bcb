/* eventlog-timer.c -- runs the thread that flushes and syncs. */
#include "config.h"

#include "eventlog/eventlog-timer.h"
#include "eventlog/eventlog-clock.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct eventlog_timer {
  eventlog_tick tick;
  void *data;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool over;
  uint64_t interval_ns[EVENTLOG_CHORES]; /* 0: not at all */
  uint64_t due_ns[EVENTLOG_CHORES];
};

static void
wait_until (struct eventlog_timer *t, uint64_t due)
{
  const struct timespec until = { (time_t) (due / 1000000000u), (long) (due % 1000000000u) };
  if (due == UINT64_MAX)
    pthread_cond_wait (&t->changed, &t->lock);
  else
    pthread_cond_timedwait (&t->changed, &t->lock, &until);
}

static void
do_chore (struct eventlog_timer *t, enum eventlog_chore chore)
{
  t->due_ns[chore] = eventlog_system_clock () + t->interval_ns[chore];
  pthread_mutex_unlock (&t->lock);
  t->tick (t->data, chore);
  pthread_mutex_lock (&t->lock);
}

static void *
run (void *timer)
{
  struct eventlog_timer *t = timer;
  pthread_mutex_lock (&t->lock);
  while (!t->over) {
    int next = -1;
    for (int i = 0; i < EVENTLOG_CHORES; i++)
      if (t->interval_ns[i] != 0 && (next < 0 || t->due_ns[i] < t->due_ns[next]))
        next = i;
    if (next >= 0 && t->due_ns[next] <= eventlog_system_clock ())
      do_chore (t, (enum eventlog_chore) next);
    else
      wait_until (t, next >= 0 ? t->due_ns[next] : UINT64_MAX);
  }
  pthread_mutex_unlock (&t->lock);
  return NULL;
}

/* The thread handles none of the program's signals. */
static bool
start (struct eventlog_timer *t)
{
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  const int error = pthread_create (&t->thread, NULL, run, t);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return error == 0;
}

struct eventlog_timer *
eventlog_timer_new (eventlog_tick tick, void *data)
{
  pthread_condattr_t attributes;
  struct eventlog_timer *t = calloc (1, sizeof *t);
  if (t == NULL)
    return NULL;
  t->tick = tick;
  t->data = data;
  pthread_mutex_init (&t->lock, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&t->changed, &attributes);
  pthread_condattr_destroy (&attributes);
  if (start (t))
    return t;
  free (t);
  return NULL;
}

void
eventlog_timer_free (struct eventlog_timer *t)
{
  if (t == NULL)
    return;
  pthread_mutex_lock (&t->lock);
  t->over = true;
  pthread_cond_signal (&t->changed);
  pthread_mutex_unlock (&t->lock);
  pthread_join (t->thread, NULL);
  pthread_cond_destroy (&t->changed);
  pthread_mutex_destroy (&t->lock);
  free (t);
}

void
eventlog_timer_set (struct eventlog_timer *t, enum eventlog_chore chore, unsigned milliseconds)
{
  pthread_mutex_lock (&t->lock);
  t->interval_ns[chore] = (uint64_t) milliseconds * 1000000u;
  t->due_ns[chore] = eventlog_system_clock () + t->interval_ns[chore];
  pthread_cond_signal (&t->changed);
  pthread_mutex_unlock (&t->lock);
}
