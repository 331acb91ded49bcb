/* program-watch.h -- the programs that are being recorded, listed again and again on a thread of
 * its own: that can take long where many programs run. */
#ifndef PROFLOG_PROGRAM_WATCH_H
#define PROFLOG_PROGRAM_WATCH_H

#include <glib.h>

struct program_watch;

/* Lists them every second, or less often if that takes long, until this process ends; so does the
 * watch.  NULL if there can be no thread. */
struct program_watch *program_watch_start (void);

/* The latest list (transfer full): the process ids (long) of this user's programs that answer
 * requests or write logs, or for root of those of all users.  Free it with g_array_unref.  NULL if
 * there is none since the last call. */
GArray *program_watch_take (struct program_watch *watch);

#endif
