/* mono-ticker.c -- a thread for what no callback does: reads counters, writes samples out.
 *
 * The runtime knows it as a tool of its own: it may ask for names, and is never stopped for a
 * collection.
 */
#include "config.h"

#include "profiler/mono-profiler.h"
#include "profiler/native-thread.h"
#include "profiler/warn.h"
#include <errno.h>
#include <mono/metadata/threads.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

enum {
  SAMPLES_MS = 20,     /* how long a sample waits at most */
  COUNTERS_MS = 1000,  /* between two readings of the counters */
  END_LIMIT_MS = 1000, /* how long the end of the program waits for the last of both */
};

static pthread_t thread;
static sem_t wake;
static bool started;
static _Atomic bool ending;

static struct timespec
timespec_after (clockid_t clock, unsigned ms)
{
  struct timespec t;
  clock_gettime (clock, &t);
  t.tv_sec += ms / 1000;
  t.tv_nsec += (long) (ms % 1000) * 1000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

static void *
tick (void *unused)
{
  (void) unused;
  mono_threads_attach_tools_thread ();
  const uint64_t self = (uint64_t) (uintptr_t) pthread_self ();
  record_thread (self, MLPD_LOAD_END_LOAD, NULL);
  record_thread (self, MLPD_LOAD_NAME, "proflog");
  const unsigned every = is_armed (CLASS_SAMPLE) ? SAMPLES_MS : COUNTERS_MS;
  unsigned since_counters = COUNTERS_MS;
  for (bool is_last = false; !is_last; since_counters += every) {
    const struct timespec until = timespec_after (CLOCK_MONOTONIC, every);
    while (sem_clockwait (&wake, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR)
      ;
    is_last = atomic_load (&ending);
    if (is_recorded (CLASS_COUNTER) && (is_last || since_counters >= COUNTERS_MS)) {
      counters_record ();
      since_counters = 0;
    }
    samples_record ();
  }
  record_thread (self, MLPD_LOAD_END_UNLOAD, NULL);
  return NULL;
}

void
ticker_start (void)
{
  if (!is_armed (CLASS_SAMPLE) && !is_armed (CLASS_COUNTER))
    return;
  sem_init (&wake, 0, 0);
  const int error = native_thread_start (&thread, 0, tick);
  started = error == 0;
  if (error != 0)
    warn ("samples and counters are not recorded: %s", strerror (error));
}

void
ticker_finish (void)
{
  if (!started)
    return;
  started = false;
  atomic_store (&ending, true);
  sem_post (&wake);
  const struct timespec until = timespec_after (CLOCK_REALTIME, END_LIMIT_MS);
  pthread_timedjoin_np (thread, NULL, &until);
  if (samples_lost () != 0)
    warn ("%llu samples are not in the log, as they could not be written fast enough",
          (unsigned long long) samples_lost ());
}

void
ticker_after_fork (void)
{
  started = false;
}
