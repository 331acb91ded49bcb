/* live-process.h -- a running program under the module as the source of a log. */
#ifndef PROFLOG_LIVE_PROCESS_H
#define PROFLOG_LIVE_PROCESS_H

#include <glib.h>
#include <stdbool.h>

/* The process id that a source is; 0 if it is none, as a file of that name is, too. */
long live_process_of (const char *spec);

/* Asks a program where its log goes.  Returns the source that it is to be read from, with g_free;
 * NULL with an error if nobody else can read it. */
char *live_process_log (long pid, GError **error);

/* From now on asks the program every so many milliseconds to write out what it has recorded, on a
 * thread of its own, until this process ends.  At most once. */
void live_process_flush_every (long pid, unsigned ms);

#endif
