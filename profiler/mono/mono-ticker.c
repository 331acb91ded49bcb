/* mono-ticker.c -- a thread for what no callback does: reads counters, writes samples out.
 *
 * The runtime knows it as a tool of its own: it may request names, and is never stopped for a
 * collection.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-samples.h"
#include "profiler/mono/mono-waits.h"
#include "agent/native-thread.h"
#include "agent/warn.h"
#include <signal.h>
#include <string.h>

enum {
  SAMPLES_MS = 20,  /* how long a sample waits at most */
  WALL_SHARE = 100, /* of the processor, for looking at threads: one in so many parts ... */
  WALL_CREDIT_NS = 10000000, /* ... and at first this: what begins takes longer */
  FEW_SAMPLES_MS = 50,       /* how long, where samples are few */
  FEW_HZ = 200,
  COUNTERS_MS = 1000,  /* between two readings of the counters */
  END_LIMIT_MS = 1000, /* how long the end of the program waits for the last of both */
};

static pthread_t thread;
static sem_t wake, done;
static bool started;
static _Atomic bool ending;

/* Waking the thread costs as much as a sample. */
static unsigned
interval (void)
{
  const struct options *const o = &profiler.options;
  if (!is_armed (CLASS_SAMPLE))
    return COUNTERS_MS;
  if (o->sample_real)
    return o->sample_hz < COUNTERS_MS ? COUNTERS_MS / o->sample_hz : 1;
  return o->sample_hz > FEW_HZ ? SAMPLES_MS : FEW_SAMPLES_MS;
}

static void
record_samples (bool is_last)
{
  samples_record (is_last, profiler.options.sample_real ? waits_note_sample : NULL);
}

/* The ms after which there is time to look at the threads again, if that used so many ns of the
 * processor. */
static unsigned
pause_after (uint64_t used)
{
  static uint64_t last;
  static int64_t credit = WALL_CREDIT_NS; /* ns of the processor */
  const uint64_t now = clock_of_system ();
  const int64_t earned = credit + (int64_t) ((last != 0 ? now - last : 0) / WALL_SHARE);
  credit = (earned < WALL_CREDIT_NS ? earned : WALL_CREDIT_NS) - (int64_t) used;
  last = now;
  return credit < 0 ? (unsigned) (-credit * WALL_SHARE / 1000000) : 0;
}

/* With a wall clock, after the samples.  Returns the ms after which the threads are looked at
 * again. */
static unsigned
record_waits (bool is_last)
{
  if (!profiler.options.sample_real)
    return 0;
  if (is_last)
    waits_finish ();
  else if (is_recorded (CLASS_SAMPLE) && sample_clock_is_running ())
    return pause_after (waits_check ());
  else
    waits_pause ();
  return 0;
}

static void *
tick (void *unused)
{
  (void) unused;
  state_attach_thread ();
  const uint64_t self = (uint64_t) (uintptr_t) pthread_self ();
  const bool is_named = recorder_version >= MLPD_VERSION_ALL_CLASSES; /* as all threads are there */
  if (is_named) {
    state_record_thread (self, MLPD_LOAD_END_LOAD, NULL);
    state_record_thread (self, MLPD_LOAD_NAME, "proflog");
  }
  const unsigned least = interval ();
  unsigned every = least, since_counters = COUNTERS_MS;
  uint64_t next = 0;
  for (bool is_last = false; !is_last;) {
    if (clock_of_system () >= next)
      next = clock_of_system () + UINT64_C (1000000) * every;
    native_thread_wait (&wake, next);
    is_last = atomic_load (&ending);
    if (!is_last && clock_of_system () < next) { /* woken, for a sample */
      record_samples (false);
      continue;
    }
    since_counters += every;
    if (is_recorded (CLASS_COUNTER) && (is_last || since_counters >= COUNTERS_MS)) {
      counters_record ();
      since_counters = 0;
    }
    record_samples (is_last);
    const unsigned pause = record_waits (is_last);
    every = pause > least ? pause : least;
    sample_clock_check ();
    if (!is_last)
      heap_shots_check ();
  }
  if (is_named)
    state_record_thread (self, MLPD_LOAD_END_UNLOAD, NULL);
  sem_post (&done);
  return NULL;
}

/* In a signal handler. */
static void
wake_up (void)
{
  sem_post (&wake);
}

void
ticker_start (void)
{
  if (!is_armed (CLASS_SAMPLE) && !is_armed (CLASS_COUNTER) && !heap_shots_are_auto ())
    return;
  sem_init (&wake, 0, 0);
  sem_init (&done, 0, 0);
  samples_set_waker (wake_up);
  const int error = native_thread_start (&thread, 0, tick);
  started = error == 0;
  if (error != 0)
    proflog_warn ("samples and counters are not recorded: %s", strerror (error));
}

/* At the end of the process the runtime may have stopped the world for ever.  The thread has done
 * its work then, but cannot leave the runtime. */
void
ticker_finish (bool process_ends)
{
  if (!started)
    return;
  started = false;
  sample_clock_finish ();
  atomic_store (&ending, true);
  sem_post (&wake);
  if (process_ends)
    native_thread_wait (&done, clock_of_system () + END_LIMIT_MS * UINT64_C (1000000));
  else
    native_thread_join (thread, END_LIMIT_MS);
}

void
ticker_after_fork (void)
{
  started = false;
}
