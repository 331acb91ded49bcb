/* live-process.h -- a running program under the module as the source of a log. */
#ifndef PROFLOG_LIVE_PROCESS_H
#define PROFLOG_LIVE_PROCESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The process id that a source is; 0 if it is none, as a file of that name is, too. */
long live_process_of (const char *spec);

/* Where a program's log goes, and went. */
struct live_process_log {
  char *source;     /* that it is to be read from now */
  uint64_t files;   /* that the log has had; 0: it is in none, or that is not reported */
  GPtrArray *names; /* of the last of them, in turn */
};

/* To begin with it is all 0.  Frees its memory. */
void live_process_log_clear (struct live_process_log *log);

/* Queries a program where its log goes; *log has the former state, or is all 0, and is set.  False
 * with an error, and *log as it was, if no other process can read it. */
bool live_process_query (long pid, struct live_process_log *log, GError **error);

/* The file of this number, from 1 on; NULL if it is not among the names. */
const char *live_process_file (const struct live_process_log *log, uint64_t number);

/* Whether they are the same file, or socket, whatever they are called. */
bool live_process_is_same (const char *source, const char *other);

/* The number of the file; 0 if it is not among the names. */
uint64_t live_process_number (const struct live_process_log *log, const char *file);

/* Of a file whose name has a number, as the module's option rotate gives them, the one that
 * follows, if it is there and was not left there before by another program.  With g_free; NULL if
 * there is none. */
char *live_process_next_numbered (const char *file);

/* Requests of a program, again and again, to write out its events, on a thread of its own: a
 * program that is stopped replies late, and no other is to wait for it. */
struct live_flusher;

/* From now on, at this interval in milliseconds.  Give it back with live_flusher_stop, which does
 * not wait for the thread. */
struct live_flusher *live_flusher_start (long pid, unsigned ms);
void live_flusher_stop (struct live_flusher *flusher);

/* Whether the program has replied, or could not: then its events before the start are in its
 * log. */
bool live_flusher_has_flushed (struct live_flusher *flusher);

/* Sets *log to the last report of the thread.  False if nothing was since this was called last. */
bool live_flusher_last_log (struct live_flusher *flusher, struct live_process_log *log);

#endif
