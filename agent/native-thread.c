/* native-thread.c -- starts, joins and suspends threads. */
#include "config.h"

#include "agent/native-thread.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- their processor time ---- */

/* Threads at a time; the time of others is not counted. */
enum { THREADS_MAX = 16 };

static struct counted_thread {
  _Atomic pid_t process, number; /* 0: none; of a process, as a fork has none of its threads */
  void *(*run) (void *);
} counted[THREADS_MAX];
static _Atomic uint64_t ended_ns; /* of threads that have ended */
static _Atomic pid_t ended_process;

static uint64_t
time_on (clockid_t clock)
{
  struct timespec now;
  if (clock_gettime (clock, &now) != 0)
    return 0;
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* The kernel's interface, which pthread_getcpuclockid uses, too. */
clockid_t
native_thread_clock (pid_t number)
{
  enum { CLOCK_OF_THREAD = 4, CLOCK_OF_SCHEDULER = 2 };
  return (clockid_t) (~(unsigned) number << 3 | CLOCK_OF_THREAD | CLOCK_OF_SCHEDULER);
}

static void *
run_counted (void *data)
{
  struct counted_thread *const slot = data;
  void *(*const run) (void *) = slot->run;
  atomic_store (&slot->number, (pid_t) syscall (SYS_gettid));
  void *const result = run (NULL);
  atomic_store (&slot->number, 0);
  atomic_fetch_add (&ended_ns, time_on (CLOCK_THREAD_CPUTIME_ID));
  atomic_store (&slot->process, 0);
  return result;
}

/* A place for a thread of this process; NULL: there is none. */
static struct counted_thread *
take_slot (void)
{
  const pid_t self = getpid ();
  if (atomic_exchange (&ended_process, self) != self)
    atomic_store (&ended_ns, 0);
  for (int i = 0; i < THREADS_MAX; i++) {
    pid_t owner = atomic_load (&counted[i].process);
    if (owner != self && atomic_compare_exchange_strong (&counted[i].process, &owner, self)) {
      atomic_store (&counted[i].number, 0);
      return &counted[i];
    }
  }
  return NULL;
}

uint64_t
native_threads_cpu_ns (void)
{
  const pid_t self = getpid ();
  uint64_t ns = atomic_load (&ended_process) == self ? atomic_load (&ended_ns) : 0;
  for (int i = 0; i < THREADS_MAX; i++) {
    const pid_t number = atomic_load (&counted[i].number);
    if (number != 0 && atomic_load (&counted[i].process) == self)
      ns += time_on (native_thread_clock (number));
  }
  return ns;
}

/* ---- start and end ---- */

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
  struct counted_thread *const slot = take_slot ();
  if (slot != NULL)
    slot->run = run;
  error = slot != NULL ? pthread_create (thread, &attributes, run_counted, slot)
                       : pthread_create (thread, &attributes, run, NULL);
  if (slot != NULL && error != 0)
    atomic_store (&slot->process, 0);
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
