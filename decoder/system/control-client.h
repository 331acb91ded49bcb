/* control-client.h -- sends requests to programs that can be controlled (proflog/control.h). */
#ifndef PROFLOG_CONTROL_CLIENT_H
#define PROFLOG_CONTROL_CLIENT_H

#include <glib.h>
#include <stdbool.h>

/* Whether the process is stopped, by a signal or a debugger: then it does not reply. */
bool control_client_is_stopped (long pid);

/* Sends a request, a line with its end, to a process, and waits for its reply, for a minute at
 * most.  It is not empty; free it with g_free.  NULL with an error whose message names the process,
 * and the line that mends it if it is not profiled.  Thread safe. */
char *control_client_request (long pid, const char *request, GError **error);

/* The same, with a wait of so many milliseconds at most for each part of the reply. */
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

#endif
