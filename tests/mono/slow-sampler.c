/* slow-sampler.c -- preloaded: the runtime's thread for samples leaves late, and so does the
 * program.
 *
 * That thread gets its old priority back (it is the third that it sets), and states that it is
 * done; after the second lock since then it detaches, here 400 ms late.  The program's end takes
 * longer than that: each mutex that the runtime destroys takes 10 ms.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static __thread unsigned priorities; /* that this thread has set */
static _Atomic int is_leaving;

static void
delay (long ms)
{
  const struct timespec t = { .tv_nsec = ms * 1000000 };
  nanosleep (&t, NULL);
}

int
pthread_setschedparam (pthread_t thread, int policy, const struct sched_param *param)
{
  static int (*next) (pthread_t, int, const struct sched_param *);
  if (next == NULL)
    next = dlsym (RTLD_NEXT, "pthread_setschedparam");
  if (++priorities == 3)
    atomic_store (&is_leaving, 1);
  return next (thread, policy, param);
}

int
pthread_mutex_unlock (pthread_mutex_t *mutex)
{
  static int (*next) (pthread_mutex_t *);
  static __thread unsigned unlocks;
  if (next == NULL)
    next = dlsym (RTLD_NEXT, "pthread_mutex_unlock");
  const int result = next (mutex);
  if (priorities == 3 && ++unlocks == 2)
    delay (400);
  return result;
}

int
pthread_mutex_destroy (pthread_mutex_t *mutex)
{
  static int (*next) (pthread_mutex_t *);
  if (next == NULL)
    next = dlsym (RTLD_NEXT, "pthread_mutex_destroy");
  if (priorities < 3 && atomic_load (&is_leaving))
    delay (10);
  return next (mutex);
}
