/* served.h -- a program that is served: its frames, events, requests and reports. */
#ifndef PROFLOG_SERVED_H
#define PROFLOG_SERVED_H

#include "decoder/live/live-figures.h"
#include <glib.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- frames for many readers, each at its own pace, in bounded memory ---- */

/* The last few frames. A reader that falls behind has lost those before, and learns how many.
 *
 * All functions may be called from any thread. */

struct frames;

/* A text that several threads have; each returns it. */
struct frame {
  atomic_uint users;
  size_t length;
  char text[];
};

void frame_unref (struct frame *frame);

/* The last `count` frames are retained.  Free it with frames_free, when it is no longer used. */
struct frames *frames_new (guint count);
void frames_free (struct frames *frames);

/* The next frame, whose number is returned: from 0 on, one more each.  The text is copied. */
uint64_t frames_add (struct frames *frames, const GString *text);

/* The number that the next frame will have. */
uint64_t frames_next (struct frames *frames);

/* The frame of a number (give it back with frame_unref), which then is that of the next one.  If
 * that frame is gone, it is the first that is there, and *lost is how many were before it. NULL if
 * it is still to come. */
struct frame *frames_pop (struct frames *frames, uint64_t *number, uint64_t *lost);

/* ---- frames for browsers, as server-sent events ---- */

/* Each reader gets frames at its own pace.  A reader that stalls loses frames and gets their
 * number. A reader takes the memory of one frame. */

/* Readers at a time. */
enum { EVENT_READERS_MAX = 16 };

struct event_hub;

/* `frames` (transfer full) have events as they are sent.  Close it, then give it back with
 * event_hub_unref: it and the frames stay until all responses have ended. */
struct event_hub *event_hub_new (struct frames *frames);
void event_hub_unref (struct event_hub *hub);

/* A response that goes on until either end closes: the frames after the one of number `last`,
 * which the reader had, or if that is NULL or none, from the newest on.  NULL if there are too many
 * readers.  For the daemon's thread. */
struct MHD_Response *event_hub_connect (struct event_hub *hub, struct MHD_Connection *connection,
                                        const char *last);

/* Sends frames that came, or if there are none a sign of life, which shows which readers are gone.
 */
void event_hub_wake (struct event_hub *hub);

/* Ends all responses; there are no more. */
void event_hub_close (struct event_hub *hub);

/* ---- commands to the program, one after the other, on a thread of its own ---- */

/* A reply may take long, and nothing else is to wait for it. */

/* Bytes of a command, and requests that wait. */
enum { CONTROL_COMMAND_MAX = 256, CONTROL_WAITING_MAX = 8 };

struct control_desk;
struct control_job;

/* `ask` gets the process id and a line with its end (proflog/control.h).  Close the desk, then give
 * it back with control_desk_unref: it stays until its thread has the last answer. */
struct control_desk *control_desk_new (long pid,
                                       char *(*ask) (long pid, const char *line, GError **error));

/* The line for the command in a body; with g_free.  NULL if it is no command, or none that may be
 * given here: start, stop, flush, sync, heapshot, enable CLASS..., disable CLASS... */
char *control_desk_line (const char *body, size_t length);

/* Takes a line (transfer full).  The connection is suspended until there is an answer.  NULL if too
 * many wait.  For the daemon's thread; give it back with control_job_free. */
struct control_job *control_desk_submit (struct control_desk *desk,
                                         struct MHD_Connection *connection, char *line);

/* The answer, a line of JSON; NULL if there is none.  The job's. */
const char *control_job_answer (struct control_job *job);
void control_job_free (struct control_job *job);

/* Discards all that waits, without an answer, and accepts nothing more. */
void control_desk_close (struct control_desk *desk);
void control_desk_unref (struct control_desk *desk);

/* ---- a source: its last figures, for pages ---- */

/* Figures are put by the thread that reads the source; all else may be called by the server's
 * thread. */

struct served_source {
  atomic_uint users;
  uint64_t number; /* in the address of its page */
  char *name;      /* UTF-8 */
  struct frames *frames, *history;
  struct event_hub *hub;
  struct control_desk *desk; /* NULL: nothing can be commanded */
  bool has_ended;            /* its last figures were put */
  pthread_mutex_t lock;
  GBytes *report; /* a page; NULL: there is none */
  GBytes *flame;  /* JSON */
  atomic_bool wants_flame;
};

/* `pid`: of the program, which `ask` commands (control-desk.c); 0: it cannot be commanded.  Give
 * it back with served_source_unref. */
struct served_source *served_source_new (uint64_t number, const char *name, long pid,
                                         char *(*ask) (long pid, const char *line, GError **error));
struct served_source *served_source_ref (struct served_source *source);
void served_source_unref (struct served_source *source);

/* Discards waiting requests, and ends its responses: it is no longer served. */
void served_source_close (struct served_source *source);

/* The figures of another interval, which has this number in all sources.  `is_one_of`: there is a
 * page of all sources. */
void served_source_put (struct served_source *source, uint64_t interval,
                        const struct live_figures *figures, bool ended, bool is_one_of);

/* The page of its report, and the flame graph (both transfer full). */
void served_source_set_report (struct served_source *source, GBytes *page);
void served_source_set_flame (struct served_source *source, GBytes *flame);

/* The report; NULL: there is none.  It lives as long as the source. */
GBytes *served_source_report (struct served_source *source);

/* The flame graph as it is now (transfer full); the next one is wanted. */
GBytes *served_source_take_flame (struct served_source *source);

/* The past figures as an array of JSON (transfer full). */
GString *served_source_history (struct served_source *source);

#endif
