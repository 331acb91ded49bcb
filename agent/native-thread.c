/* native-thread.c -- starts, joins and suspends threads. */
#include "config.h"

#include "agent/native-thread.h"
#include <errno.h>
#include <signal.h>
#include <time.h>

int
native_thread_start (pthread_t *thread, size_t stack, void *(*run) (void *) )
{
  pthread_attr_t attributes;
  sigset_t all, before;
  int error = pthread_attr_init (&attributes);
  if (error != 0)
    return error;
  if (stack != 0)
    pthread_attr_setstacksize (&attributes, stack);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  error = pthread_create (thread, &attributes, run, NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  pthread_attr_destroy (&attributes);
  return error;
}

static struct timespec
timespec_of (uint64_t ns)
{
  return (struct timespec){ .tv_sec = (time_t) (ns / 1000000000u),
                            .tv_nsec = (long) (ns % 1000000000u) };
}

static uint64_t
time_on (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

bool
native_thread_join (pthread_t thread, unsigned limit_ms)
{
  const struct timespec until
      = timespec_of (time_on (CLOCK_REALTIME) + UINT64_C (1000000) * limit_ms);
  return pthread_timedjoin_np (thread, NULL, &until) == 0;
}

static int
wait_until (sem_t *semaphore, uint64_t until)
{
#ifdef HAVE_SEM_CLOCKWAIT
  const struct timespec t = timespec_of (until);
  return sem_clockwait (semaphore, CLOCK_MONOTONIC, &t);
#else
  /* Not of glibc: it waits by the time of day, so a change of that changes the wait. */
  const uint64_t now = time_on (CLOCK_MONOTONIC);
  const struct timespec t
      = timespec_of (time_on (CLOCK_REALTIME) + (until > now ? until - now : 0));
  return sem_timedwait (semaphore, &t);
#endif
}

bool
native_thread_wait (sem_t *semaphore, uint64_t until)
{
  int result;
  while ((result = wait_until (semaphore, until)) != 0 && errno == EINTR)
    ;
  return result == 0;
}

void
native_thread_sleep (unsigned ms)
{
  const struct timespec t = timespec_of (UINT64_C (1000000) * ms);
  nanosleep (&t, NULL);
}
