/* mono-sample-clock.c -- when threads are sampled: by timers on their own processor time.
 *
 * The runtime's own timer signals every thread at each tick, whether it runs or waits, and ends the
 * waits of the program.  So it stays off (the sample mode NONE): of the runtime's sampling there is
 * only its signal handler.  Our timers send the runtime's signal.  Its number is not public: it is
 * the one that has a handler after the runtime's start and had none when the module was loaded.
 *
 * The runtime starts its thread for samples in any mode, and that thread excludes itself from those
 * whose end the program's end waits for.  A program that ends before (hello) would wait for ever:
 * the stock profiler hangs so now and then.  So the start waits for the thread's name, which
 * follows.
 *
 * At the end the runtime waits until that thread says that it is done.  It is not: it detaches, and
 * if the runtime has freed its objects by then, an assertion fails (thread->suspended).  So the end
 * of the recording waits for the end of the thread.
 */
#include "config.h"

#include "agent/clock.h"
#include "agent/native-thread.h"
#include "agent/warn.h"
#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-sample-signal.h"
#include "profiler/mono/mono-waits.h"
#include "profiler/os/cpu-timers.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* How long start and end wait for the runtime's thread for samples: some 100 us in 6.8. */
#define SAMPLER_LIMIT_NS UINT64_C (1000000000)

/* Checks between searches for the managed code of a program that ran before. */
#define CHECKS_TO_FIND_CODE 20

/* 0: none.  Stored after its handler: the ticker's thread reads both. */
static _Atomic int sample_signal;
static bool is_ready; /* sampling was requested */
static sem_t sampler_named;
static _Atomic pid_t sampler; /* the runtime's thread for samples; 0: not known */

uint64_t
sample_clock_interval (const struct options *o)
{
  const uint64_t requested = UINT64_C (1000000000) / o->sample_hz, least = cpu_timers_shortest ();
  return requested > least ? requested : least;
}

/* One line where fewer samples are taken than were requested. */
static void
warn_of_rate (const struct options *o)
{
  const uint64_t rate = UINT64_C (1000000000) / sample_clock_interval (o);
  if (o->sample && !o->sample_real && rate < o->sample_hz)
    proflog_warn ("sample=%u: only %llu samples are taken in a second of processor time: without "
                  "permission for "
                  "perf_event_open the kernel's tick is the limit",
                  o->sample_hz, (unsigned long long) rate);
}

static bool
prepare (struct _MonoProfiler *p)
{
  if (late_samples_are_set ())
    return true;
  if (!mono_profiler_enable_sampling (p->handle)) {
    proflog_warn ("no samples: another profiler is sampling already");
    return false;
  }
  sample_signal_prepare ();
  sem_init (&sampler_named, 0, 0);
  warn_of_rate (&p->options);
  return true;
}

void
sample_clock_arm (struct _MonoProfiler *p)
{
  is_ready = is_armed (CLASS_SAMPLE) && prepare (p) && samples_prepare ();
}

void
sample_clock_note_thread (uint64_t thread, const char *name)
{
  if (!is_ready || strcmp (name, "Profiler Sampler") != 0)
    return;
  if (thread == (uint64_t) (uintptr_t) pthread_self ()) {
    cpu_timers_remove_thread (); /* it is there for the profiler alone */
    atomic_store (&sampler, gettid ());
  }
  sem_post (&sampler_named);
}

bool
sample_clock_is_running (void)
{
  return atomic_load (&sample_signal) != 0;
}

/* Without the runtime's handler. */
static int
begin_late (void)
{
  const int signal = sample_signal_install_late ();
  if (signal != 0)
    late_stacks_find_code ();
  return signal;
}

static int
begin (struct _MonoProfiler *p)
{
  if (late_samples_are_set ())
    return begin_late ();
  if (sample_signal_find ()) {
    native_thread_wait (&sampler_named, clock_of_system () + SAMPLER_LIMIT_NS);
    const int signal = sample_signal_install (p->handle);
    if (signal != 0)
      return signal;
  }
  late_samples_set ();
  return begin_late ();
}

void
sample_clock_begin (struct _MonoProfiler *p)
{
  if (!is_ready)
    return;
  const bool is_late = late_samples_are_set ();
  const int signal = begin (p);
  if (signal == 0) { /* an attaching program reports that by itself */
    proflog_warn ("no samples: the program has handlers for all real-time signals");
    return;
  }
  atomic_store (&sample_signal, signal);
  waits_begin (signal);
  cpu_timers_begin (signal, sample_clock_interval (&p->options));
  if (is_late)
    cpu_timers_add_all ();
}

void
sample_clock_check (void)
{
  static unsigned checks;
  const int signal = atomic_load (&sample_signal);
  if (signal != 0 && late_samples_are_set ())
    late_stacks_check (++checks % CHECKS_TO_FIND_CODE == 0);
  if (signal == 0 || sample_signal_is_installed (signal))
    return;
  cpu_timers_end ();
  proflog_warn ("no more samples: the program handles signal %d, which the runtime has for them",
                signal);
  atomic_store (&sample_signal, 0);
}

void
sample_clock_finish (void)
{
  int reason;
  atomic_store (&sample_signal, 0);
  cpu_timers_end ();
  const uint64_t failed = cpu_timers_failed (&reason);
  if (failed != 0)
    proflog_warn ("%llu %s not sampled for want of a timer: %s", (unsigned long long) failed,
                  failed == 1 ? "thread was" : "threads were", strerror (reason));
}

void
sample_clock_wait_for_sampler (void)
{
  const pid_t tid = atomic_load (&sampler);
  const uint64_t until = clock_of_system () + SAMPLER_LIMIT_NS;
  while (tid != 0 && tgkill (getpid (), tid, 0) == 0 && clock_of_system () < until)
    native_thread_sleep (1);
}
