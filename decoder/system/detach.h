/* detach.h -- a program that is being recorded goes on without. */
#ifndef PROFLOG_DETACH_H
#define PROFLOG_DETACH_H

#include <glib.h>
#include <stdbool.h>

/* Where the module's log goes while it is idle. */
#define DETACHED_OUTPUT "/dev/null"

/* Ends the recording of a process: its log is whole, and the module idle.  Fails with an error
 * whose message has the process's number. */
bool detach_process (long pid, GError **error);

/* Is the module in this process, and idle? */
bool detach_is_done (long pid);

/* Sets the state of the recorded ones of these programs (struct control_program) that are detached.
 * Sends a request to each but those that are stopped, and waits 0.3 s at most for its reply. */
void detach_mark (GArray *programs);

/* Is nothing recorded of it, whatever its log is? */
bool detach_is_paused (long pid);

/* The name of the log that the module writes (transfer full); NULL: it does not answer. */
char *detach_log (long pid);

/* The options that the module was started with (transfer full); NULL: it does not answer. */
char *detach_options (long pid);

/* Why it can write no more (transfer full); NULL: it can, or does not answer. */
char *detach_problem (long pid);

/* Lets the idle module of a process record into this file, from now on.  `settings`: requests "set
 * KEY=VALUE" that come first, up to NULL. */
bool detach_undo (long pid, const char *output, const char *const *settings, GError **error);

#endif
