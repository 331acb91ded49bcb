/* mono-ticker.c -- a thread for what no callback does: reads counters, writes samples out.
 *
 * The runtime knows it as a tool of its own: it may ask for names, and is never stopped for a
 * collection.
 */
#include "profiler/mono-profiler.h"
#include "profiler/native-thread.h"
#include "profiler/warn.h"
#include <mono/metadata/threads.h>
#include <string.h>

enum {
  SAMPLES_MS = 20,     /* how long a sample waits at most */
  COUNTERS_MS = 1000,  /* between two readings of the counters */
  END_LIMIT_MS = 1000, /* how long the end of the program waits for the last of both */
};

static pthread_t thread;
static sem_t wake;
static bool started;
static _Atomic bool ending;

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
    native_thread_wait (&wake, clock_of_system () + UINT64_C (1000000) * every);
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
  native_thread_join (thread, END_LIMIT_MS);
  if (samples_lost () != 0)
    warn ("%llu samples are not in the log, as they could not be written fast enough",
          (unsigned long long) samples_lost ());
}

void
ticker_after_fork (void)
{
  started = false;
}
