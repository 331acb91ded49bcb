/* mono-sample-signal.c -- the handler of samples. */
#include "config.h"

#include "profiler/mono/mono-sample-signal.h"
#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-samples.h"
#include "profiler/os/cpu-timers.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  INFO_WORDS = 1024, /* of the runtime's description of a thread: where the mark is searched */
};

static struct sigaction loaded[NSIG]; /* handlers when the module was loaded */
static int runtime_signal;
static struct sigaction runtime_handler;
static const char request; /* its address marks our own signals */

/* ---- the mark ---- */

/* In 32-bit words from the beginning of a thread's description; 0: unknown. */
static size_t mark_at;

/* While the mark is searched: the descriptions before, during and after the runtime's handler. */
static struct probe {
  _Atomic bool is_running;
  bool has_run;
  int memory; /* a descriptor of the process's memory: the size of a description is not known */
  size_t count[3];
  uint32_t words[3][INFO_WORDS];
} probe;

static void
note_words (size_t moment)
{
  const off_t at = (off_t) (uintptr_t) mono_thread_info_current_unchecked ();
  const ssize_t n = pread (probe.memory, probe.words[moment], sizeof probe.words[moment], at);
  probe.count[moment] = n > 0 ? (size_t) n / sizeof (uint32_t) : 0;
}

static bool
is_mark (size_t i)
{
  return probe.words[0][i] == 0 && probe.words[1][i] == 1 && probe.words[2][i] == 0;
}

/* The only word that is 1 in the runtime's handler, and 0 before and after it. */
static size_t
find_mark (void)
{
  size_t n = INFO_WORDS, found = 0;
  for (size_t moment = 0; moment < 3; moment++)
    if (probe.count[moment] < n)
      n = probe.count[moment];
  for (size_t i = 1; i < n; i++)
    if (is_mark (i)) {
      if (found != 0)
        return 0;
      found = i;
    }
  return found;
}

static bool
is_marked (void)
{
  const volatile uint32_t *const info = mono_thread_info_current_unchecked ();
  return info == NULL || info[mark_at] != 0;
}

/* ---- the handler ---- */

/* A thread that handles a signal of its own fault, or of its end. */
static bool
is_in_fault (const void *context)
{
  static const int faults[] = { SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP };
  const ucontext_t *const c = context;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (sigismember (&c->uc_sigmask, faults[i]) == 1)
      return true;
  return false;
}

/* Where the thread was interrupted.  NULL: the layout of the context is not known. */
static const void *
context_ip (const void *context)
{
  const ucontext_t *const c = context;
#if defined(__x86_64__)
  return (const void *) (uintptr_t) c->uc_mcontext.gregs[REG_RIP];
#elif defined(__i386__)
  return (const void *) (uintptr_t) c->uc_mcontext.gregs[REG_EIP];
#elif defined(__aarch64__)
  return (const void *) (uintptr_t) c->uc_mcontext.pc;
#elif defined(__arm__)
  return (const void *) (uintptr_t) c->uc_mcontext.arm_pc;
#else
  (void) c;
  return NULL;
#endif
}

/* The runtime's handler calls sample_hit. */
static void
call_runtime (int signal, siginfo_t *info, void *context)
{
  if (probe.is_running)
    note_words (0);
  runtime_handler.sa_sigaction (signal, info, context);
  if (probe.is_running)
    note_words (2);
}

/* In the runtime's handler. */
static void
sample_hit (MonoProfiler *p, const mono_byte *ip, const void *context)
{
  (void) p;
  if (probe.is_running) {
    note_words (1);
    probe.has_run = true;
  } else {
    sample_walk (ip, context);
  }
}

/* Where the thread has no mark. */
static void
walk_by_runtime (int signal, siginfo_t *info, void *context)
{
  if (!is_marked ())
    call_runtime (signal, info, context);
}

/* The work of the runtime's handler around a walk, but for the mark. */
static void
walk_late (int signal, siginfo_t *info, void *context)
{
  (void) signal;
  (void) info;
  void *saved[SAMPLE_HAZARDS], **hazards;
  if (mono_thread_info_current_unchecked == NULL || mono_hazard_pointer_get == NULL
      || mono_thread_info_current_unchecked () == NULL)
    return;
  hazards = mono_hazard_pointer_get ();
  memcpy (saved, hazards, sizeof saved);
  sample_walk_late (context);
  memcpy (hazards, saved, sizeof saved);
}

/* The intervals of a signal of ours, else 0. */
static unsigned
signal_intervals (const siginfo_t *info, bool *is_requested)
{
  *is_requested = info->si_code == SI_QUEUE && info->si_value.sival_ptr == &request;
  return *is_requested ? 1 : cpu_timers_intervals (info);
}

static void (*walk) (int, siginfo_t *, void *); /* one of these, before the handler is installed */

static void
handle (int signal, siginfo_t *info, void *context)
{
  const int error = errno;
  bool is_requested;
  const unsigned intervals = signal_intervals (info, &is_requested);
  if (probe.is_running) {
    call_runtime (signal, info, context);
  } else if (intervals != 0 && sample_begin (intervals, is_requested, context_ip (context))) {
    if (!is_in_fault (context))
      walk (signal, info, context);
    sample_end ();
  }
  cpu_timers_continue ();
  errno = error;
}

bool
sample_signal_request (pid_t thread, int signal)
{
  siginfo_t info = { .si_signo = signal, .si_code = SI_QUEUE };
  info.si_pid = getpid ();
  info.si_uid = getuid ();
  info.si_value.sival_ptr = (void *) (uintptr_t) &request;
  return syscall (SYS_rt_tgsigqueueinfo, getpid (), thread, signal, &info) == 0;
}

/* ---- installing it ---- */

static bool
is_real_time (int signal)
{
  return signal >= SIGRTMIN && signal <= SIGRTMAX;
}

void
sample_signal_prepare (void)
{
  for (int i = 1; i < NSIG; i++)
    if (is_real_time (i))
      sigaction (i, NULL, &loaded[i]);
}

/* Whether it may be the handler of samples.  The one by which the runtime ends calls of the system
 * comes later than a module that an embedding program loads; it blocks all signals. */
static bool
is_of_samples (const struct sigaction *action)
{
  return (action->sa_flags & SA_RESTART) != 0 && sigismember (&action->sa_mask, SIGUSR1) == 0;
}

bool
sample_signal_find (void)
{
  int found = 0;
  for (int i = 1; i < NSIG; i++) {
    struct sigaction now;
    if (!is_real_time (i) || sigaction (i, NULL, &now) != 0
        || now.sa_sigaction == loaded[i].sa_sigaction || !is_of_samples (&now))
      continue;
    if (found != 0)
      return false;
    found = i;
    runtime_handler = now;
  }
  runtime_signal = found;
  return found != 0;
}

/* All signals but those of faults wait for the end of the handler. */
static struct sigaction
our_action (void)
{
  struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART };
  action.sa_sigaction = handle;
  sigfillset (&action.sa_mask);
  sigdelset (&action.sa_mask, SIGSEGV);
  sigdelset (&action.sa_mask, SIGBUS);
  sigdelset (&action.sa_mask, SIGILL);
  sigdelset (&action.sa_mask, SIGFPE);
  sigdelset (&action.sa_mask, SIGABRT);
  sigdelset (&action.sa_mask, SIGTRAP);
  return action;
}

/* Whether this thread's signal comes to our callback; finds the mark that it sets. */
static bool
run_probe (int signal)
{
  if (mono_thread_info_current_unchecked == NULL)
    return false;
  probe.memory = open ("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (probe.memory < 0)
    return false;
  atomic_store (&probe.is_running, true);
  pthread_kill (pthread_self (), signal);
  atomic_store (&probe.is_running, false);
  close (probe.memory);
  mark_at = probe.has_run ? find_mark () : 0;
  return mark_at != 0;
}

int
sample_signal_install (MonoProfilerHandle handle_of_module)
{
  const int signal = runtime_signal;
  const struct sigaction action = our_action ();
  walk = walk_by_runtime;
  if (signal == 0 || sigaction (signal, &action, NULL) != 0)
    return 0;
  mono_profiler_set_sample_hit_callback (handle_of_module, sample_hit);
  if (run_probe (signal))
    return signal;
  mono_profiler_set_sample_hit_callback (handle_of_module, NULL);
  sigaction (signal, &runtime_handler, NULL);
  return 0;
}

int
sample_signal_install_late (void)
{
  const struct sigaction action = our_action ();
  walk = walk_late;
  for (int signal = SIGRTMAX; signal >= SIGRTMIN; signal--) {
    struct sigaction now;
    if (sigaction (signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0
        && now.sa_handler == SIG_DFL && sigaction (signal, &action, NULL) == 0)
      return signal;
  }
  return 0;
}

bool
sample_signal_is_installed (int signal)
{
  struct sigaction now;
  return sigaction (signal, NULL, &now) == 0 && now.sa_sigaction == handle;
}
