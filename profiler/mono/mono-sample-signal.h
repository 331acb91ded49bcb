/* mono-sample-signal.h -- the signal by which a thread is sampled, and its handler.
 *
 * The runtime has a handler for samples.  It saves the data that a walk of the stack would
 * overwrite, and marks the thread as one in which nothing may lock or allocate; but it asserts that
 * the mark is not set yet.  The runtime sets the mark elsewhere, too: on a thread that aborts
 * another one, and on all threads while it reports a crash.  So a handler of the module's own comes
 * first.  Where the mark is set, the sample has no callers.  No other signal interrupts the walk,
 * in whose handler the runtime would set the mark.
 */
#ifndef PROFILER_MONO_SAMPLE_SIGNAL_H
#define PROFILER_MONO_SAMPLE_SIGNAL_H

#include "profiler/mono/mono-imports.h"
#include <stdbool.h>
#include <sys/types.h>

/* Pointers of the runtime that protect data which a thread reads without a lock.  A walk changes
 * them. */
#define SAMPLE_HAZARDS 3

/* As the module is loaded: notes which signals have handlers. */
void sample_signal_prepare (void);

/* When the runtime has started: whether exactly one signal got such a handler since. */
bool sample_signal_find (void);

/* After that: installs the handler before that of the runtime.  Returns the signal; 0: the
 * runtime's handler is not the expected one. */
int sample_signal_install (MonoProfilerHandle handle);

/* In a running program: selects a signal without a handler and installs one.  0: there is
 * none. */
int sample_signal_install_late (void);

/* Whether the signal has our handler. */
bool sample_signal_is_installed (int signal);

/* From any thread: a thread of this process, which waits, is to be sampled.  False if it has ended,
 * or if the signal cannot be sent. */
bool sample_signal_request (pid_t thread, int signal);

#endif
