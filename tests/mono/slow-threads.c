/* slow-threads.c -- preloaded: delays threads where the runtime knows them only in part.
 *
 * A managed thread posts a semaphore once it is in the runtime's table, and states only then that
 * the program's end shall not wait for it.  A native thread of a profiler (it blocks SIGTERM) takes
 * locks from the moment that collections stop it until they no longer do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void
delay (long ms)
{
  const struct timespec t = { .tv_nsec = ms * 1000000 };
  nanosleep (&t, NULL);
}

int
sem_post (sem_t *semaphore)
{
  static int (*next) (sem_t *);
  static __thread unsigned posts;
  if (next == NULL)
    next = dlsym (RTLD_NEXT, "sem_post");
  const int result = next (semaphore);
  if (gettid () != getpid () && posts++ < 10)
    delay (100);
  return result;
}

int
pthread_mutex_lock (pthread_mutex_t *mutex)
{
  static int (*next) (pthread_mutex_t *);
  static __thread unsigned locks;
  sigset_t blocked;
  if (next == NULL)
    next = dlsym (RTLD_NEXT, "pthread_mutex_lock");
  if (locks < 20 && pthread_sigmask (SIG_SETMASK, NULL, &blocked) == 0
      && sigismember (&blocked, SIGTERM) == 1) {
    locks++;
    delay (20);
  }
  return next (mutex);
}
