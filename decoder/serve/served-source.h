/* served-source.h -- one of the sources that are served: its last figures, as pages get them.
 *
 * Figures are put by the thread that reads the source; all else may be called by the server's
 * thread.
 */
#ifndef PROFLOG_SERVED_SOURCE_H
#define PROFLOG_SERVED_SOURCE_H

#include "decoder/live/live-figures.h"
#include "decoder/serve/control-desk.h"
#include "decoder/serve/event-hub.h"
#include "decoder/serve/frames.h"
#include <pthread.h>
#include <stdatomic.h>

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

/* `pid`: of the program, which `ask` commands (control-desk.h); 0: it cannot be commanded.  Give
 * it back with served_source_unref. */
struct served_source *served_source_new (uint64_t number, const char *name, long pid,
                                         char *(*ask) (long pid, const char *line, GError **error));
struct served_source *served_source_ref (struct served_source *source);
void served_source_unref (struct served_source *source);

/* Gives up what waits, and ends its responses: it is served no more. */
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
