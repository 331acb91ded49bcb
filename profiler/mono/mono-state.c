/* mono-state.c -- below all other files: the module's state, and its own threads. */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <signal.h>

struct _MonoProfiler profiler;

void
state_record_thread (uint64_t thread, uint64_t action, const char *name)
{
  struct mlpd_metadata_thread event
      = { .action = action, .thread = thread, .name = string_of (name) };
  RECORD (metadata_thread, event, 0, 0, 0);
}

/* The runtime knows the thread from the middle of this call on, and at its end no longer stops it
 * for a collection.  A collection in between waits until the thread answers its signal: it
 * waits for ever if that is blocked, as all signals are here.  It is a real-time signal, or in
 * older versions SIGPWR or SIGXCPU. */
void
state_attach_thread (void)
{
  sigset_t suspends, before;
  sigemptyset (&suspends);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
    sigaddset (&suspends, signal);
  sigaddset (&suspends, SIGPWR);
  sigaddset (&suspends, SIGXCPU);
  pthread_sigmask (SIG_UNBLOCK, &suspends, &before);
  mono_threads_attach_tools_thread ();
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

bool
state_end_has_begun (void)
{
  return mono_runtime_is_shutting_down != NULL && mono_runtime_is_shutting_down ();
}

bool
state_runtime_ends (void)
{
  return mono_get_root_domain () == NULL || state_end_has_begun ();
}
