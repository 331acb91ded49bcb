/* control-client.h -- finds programs that can be controlled (proflog/control.h), and asks them. */
#ifndef PROFLOG_CONTROL_CLIENT_H
#define PROFLOG_CONTROL_CLIENT_H

#include <glib.h>
#include <stdbool.h>

/* The process ids (long) of this user's programs that listen, or for root of all users', in order.
 * Sockets that killed ones have left are removed.
 * Free with g_array_unref. */
GArray *control_client_list (void);

/* A process's command line; "" if it cannot be known.  Free with g_free. */
char *control_client_command (long pid);

/* What the process is called: the assembly in its command line, or else the program, without directory; "" if it
 * cannot be known.  Free with g_free. */
char *control_client_name (long pid);

/* The process of this user's that listens and has this name: a word of its command line, without its
 * directory and with or without ".exe".  0: none, or several, with an error. */
long control_client_find (const char *name, GError **error);

/* The processes that listen, a line each, with their command lines.  Free with g_free. */
char *control_client_describe (void);

/* Whether the process is stopped, by a signal or a debugger: then it does not reply. */
bool control_client_is_stopped (long pid);

/* Sends a request, a line with its end, to a process, and waits for its reply, for a minute at
 * most. Free with g_free.  NULL with an error whose message names the process. */
char *control_client_request (long pid, const char *request, GError **error);

#endif
