/* control-desk.h -- sends the commands of HTTP requests to the program, one after the other, on a
 * thread of its own: a reply may take long, and nothing else is to wait for it.
 */
#ifndef PROFLOG_CONTROL_DESK_H
#define PROFLOG_CONTROL_DESK_H

#include <glib.h>
#include <microhttpd.h>
#include <stdbool.h>

/* Bytes of a command, and requests that wait. */
enum { CONTROL_COMMAND_MAX = 256, CONTROL_WAITING_MAX = 8 };

struct control_desk;
struct control_job;

/* `ask` gets the process id and a line with its end (proflog/control.h).  Close the desk, then give
 * it back with control_desk_unref: it stays until its thread has the last answer. */
struct control_desk *control_desk_new (long pid,
                                       char *(*ask) (long pid, const char *line, GError **error));

/* The line for what a body commands; with g_free.  NULL if it is no command, or none that may be
 * given here: start, stop, flush, sync, heapshot, enable CLASS..., disable CLASS... */
char *control_desk_line (const char *body, size_t length);

/* Takes a line (transfer full).  The connection is suspended until there is an answer.  NULL if too
 * many wait.  For the daemon's thread; give it back with control_job_free. */
struct control_job *control_desk_submit (struct control_desk *desk,
                                         struct MHD_Connection *connection, char *line);

/* The answer, a line of JSON; NULL if there is none.  The job's. */
const char *control_job_answer (struct control_job *job);
void control_job_free (struct control_job *job);

/* Gives up all that waits, without an answer, and accepts nothing more. */
void control_desk_close (struct control_desk *desk);
void control_desk_unref (struct control_desk *desk);

#endif
