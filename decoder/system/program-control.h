/* program-control.h -- requests to the module in a program. */
#ifndef PROFLOG_PROGRAM_CONTROL_H
#define PROFLOG_PROGRAM_CONTROL_H

#include <glib.h>
#include <stdbool.h>

/* ---- requests by proflog/control.h ---- */

/* Whether the process is stopped, by a signal or a debugger: then it does not reply. */
bool control_client_is_stopped (long pid);

/* Sends a request, a line with its end, to a process, and waits for its reply, for a minute at
 * most.  It is not empty; free it with g_free.  NULL with an error whose message names the process,
 * and the line that mends it if it is not profiled.  Thread safe. */
char *control_client_request (long pid, const char *request, GError **error);

/* The same, with a wait of at most `limit_ms` for each part of the reply. */
char *control_client_request_within (long pid, const char *request, unsigned limit_ms,
                                     GError **error);

/* The request for the status. */
#define CONTROL_STATUS "status\n"

/* How long a reply is waited for: of a program that the user has named, and where others go on
 * without the one that is busy. */
enum { CONTROL_REPLY_MS = 60000, CONTROL_SHORT_MS = 300 };

/* The value of a line of the status (free with g_free); NULL: there is none, or no answer.  The
 * limit is that of control_client_request_within. */
char *control_client_status (long pid, const char *key, unsigned limit_ms);

/* ---- the end of a recording; the program goes on ---- */

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
