/* mono-sample-clock.c -- when threads are sampled: by timers on their own processor time.
 *
 * The runtime's own timer signals every thread at each tick, whether it runs or waits.  So it stays
 * off (the sample mode NONE): of the runtime's sampling there is only its signal handler, which
 * marks the thread's context as asynchronous.  A handler of our own could not do that, and a walk
 * outside of that context takes locks.  Our timers send the runtime's signal.  Its number is not
 * public: it is the one that has a handler after the runtime's start and had none when the module
 * was loaded.
 *
 * The runtime starts its thread for samples in any mode, and that thread excludes itself from those
 * whose end the program's end waits for.  A program that ends before (hello) would wait for ever:
 * the stock profiler hangs so now and then.  So the start waits for the thread's name, which
 * follows.
 */
#include "config.h"

#include "agent/clock.h"
#include "agent/native-thread.h"
#include "agent/warn.h"
#include "profiler/mono/mono-private.h"
#include "profiler/os/cpu-timers.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

/* How long the start waits for the runtime's thread for samples: some 100 us in 6.8. */
#define SAMPLER_LIMIT_NS UINT64_C (1000000000)

/* Managed code of a program that ran before is searched for at each so many checks. */
#define CHECKS_TO_FIND_CODE 20

static struct sigaction loaded[NSIG]; /* handlers when the module was loaded */
static struct sigaction runtime_handler;
/* 0: none.  Stored after its handler: the ticker's thread reads both. */
static _Atomic int sample_signal;
static bool is_ready; /* sampling was requested */
static sem_t sampler_named;

static _Atomic bool is_probing, probe_arrived;

/* Of samples by the wall clock; 0: none. */
static _Atomic int wall_signal;
static _Thread_local bool is_waking __attribute__ ((tls_model ("initial-exec")));

bool
sample_clock_note_probe (void)
{
  if (is_waking)
    return true;
  if (!atomic_load_explicit (&is_probing, memory_order_relaxed))
    return false;
  atomic_store_explicit (&probe_arrived, true, memory_order_relaxed);
  return true;
}

/* The signal's description, from the context of its handler: the kernel puts both into one frame on
 * the stack.  NULL where the layout is not known. */
static const siginfo_t *
info_of (const void *context)
{
#if defined(__x86_64__)
  /* struct rt_sigframe: the kernel's struct ucontext, of 304 bytes, then the siginfo. */
  return (const siginfo_t *) (const void *) ((const char *) context + 304);
#elif defined(__aarch64__)
  /* The siginfo, of 128 bytes, then the ucontext. */
  return (const siginfo_t *) (const void *) ((const char *) context - 128);
#else
  (void) context;
  return NULL;
#endif
}

unsigned
sample_clock_intervals (const void *context)
{
  if (profiler.options.sample_real)
    return 1;
  const siginfo_t *info = info_of (context);
  return info != NULL ? cpu_timers_intervals (info) : 1;
}

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
is_real_time (int signal)
{
  return signal >= SIGRTMIN && signal <= SIGRTMAX;
}

bool
sample_clock_prepare (struct _MonoProfiler *p)
{
  if (late_samples_are_set ()) {
    is_ready = true;
    return true;
  }
  if (!mono_profiler_enable_sampling (p->handle))
    return false;
  if (p->options.sample_real)
    mono_profiler_set_sample_mode (p->handle, MONO_PROFILER_SAMPLE_MODE_REAL, p->options.sample_hz);
  for (int i = 1; i < NSIG; i++)
    if (is_real_time (i))
      sigaction (i, NULL, &loaded[i]);
  sem_init (&sampler_named, 0, 0);
  warn_of_rate (&p->options);
  is_ready = true;
  return true;
}

/* The signal that got a handler since; 0 if there is none, or several. */
static int
find_signal (void)
{
  int found = 0;
  for (int i = 1; i < NSIG; i++) {
    struct sigaction now;
    if (!is_real_time (i) || sigaction (i, NULL, &now) != 0
        || now.sa_sigaction == loaded[i].sa_sigaction)
      continue;
    if (found != 0)
      return 0;
    found = i;
    runtime_handler = now;
  }
  return found;
}

/* Whether this thread's signal comes to our callback. */
static bool
probe (struct _MonoProfiler *p, int signal)
{
  atomic_store (&is_probing, true);
  mono_profiler_set_sample_hit_callback (p->handle, sample_hit);
  pthread_kill (pthread_self (), signal);
  atomic_store (&is_probing, false);
  set_sample_callback (p);
  return atomic_load (&probe_arrived);
}

void
sample_clock_note_thread (const char *name)
{
  if (is_ready && strcmp (name, "Profiler Sampler") == 0)
    sem_post (&sampler_named);
}

/* In a program that ran before. */
static void
begin_late (struct _MonoProfiler *p)
{
  const int found = late_samples_take_signal ();
  if (found == 0)
    return; /* which sample_clock_is_running shows */
  late_stacks_find_code ();
  atomic_store (&sample_signal, found);
  cpu_timers_begin (found, sample_clock_interval (&p->options));
  cpu_timers_add_all ();
}

bool
sample_clock_is_running (void)
{
  return atomic_load (&sample_signal) != 0;
}

void
sample_clock_begin (struct _MonoProfiler *p)
{
  if (!is_ready)
    return;
  if (late_samples_are_set ()) {
    begin_late (p);
    return;
  }
  const int found = find_signal ();
  if (found != 0)
    native_thread_wait (&sampler_named, clock_of_system () + SAMPLER_LIMIT_NS);
  if (p->options.sample_real) {
    atomic_store (&wall_signal, found);
    return;
  }
  if (found == 0 || !probe (p, found)) {
    proflog_warn ("no samples: this runtime's signal for them is not known");
    return;
  }
  atomic_store (&sample_signal, found);
  cpu_timers_begin (found, sample_clock_interval (&p->options));
}

static bool
has_runtime_handler (int signal)
{
  struct sigaction now;
  if (late_samples_are_set ())
    return late_samples_have (signal);
  return sigaction (signal, NULL, &now) == 0 && now.sa_sigaction == runtime_handler.sa_sigaction;
}

/* The runtime's thread for samples signals a thread again after its handler has run.  The handler
 * ignores a signal that comes while the thread is being attached: the thread would never be
 * sampled.  So each thread signals itself when it is attached. */
void
sample_clock_add_thread (void)
{
  const int signal = atomic_load (&wall_signal);
  cpu_timers_add_thread ();
  if (signal == 0 || !has_runtime_handler (signal))
    return;
  is_waking = true;
  pthread_kill (pthread_self (), signal);
  is_waking = false;
}

void
sample_clock_check (void)
{
  static unsigned checks;
  const int signal = atomic_load (&sample_signal);
  if (signal != 0 && late_samples_are_set ())
    late_stacks_check (++checks % CHECKS_TO_FIND_CODE == 0);
  if (signal == 0 || has_runtime_handler (signal))
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
  atomic_store (&wall_signal, 0);
  cpu_timers_end ();
  const uint64_t failed = cpu_timers_failed (&reason);
  if (failed != 0)
    proflog_warn ("%llu %s not sampled for want of a timer: %s", (unsigned long long) failed,
                  failed == 1 ? "thread was" : "threads were", strerror (reason));
}
