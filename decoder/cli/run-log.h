/* run-log.h -- where `proflog run` has the log written, and which logs came. */
#ifndef PROFLOG_RUN_LOG_H
#define PROFLOG_RUN_LOG_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* A log's path as it was asked for: %p is the process id, %t the time of the start, %% a %. */
struct run_log;

/* Checks that a log can be written to `path`: its directory is there and can be written; the file
 * is not there, or is a regular one that is empty or, with `force`, a profiler log.  NULL and
 * *error otherwise.  Free with run_log_free. */
struct run_log *run_log_new (const char *path, bool force, GError **error);
void run_log_free (struct run_log *log);

/* The value of the module's option output=, with what the option parser and the expansion of %
 * would take for their own made safe.  The caller's. */
char *run_log_option (const struct run_log *log);

/* The path to name in messages; %p stands for the process id.  The log's. */
const char *run_log_path (const struct run_log *log);

/* Paths of the files that process `pid` (0: any) wrote since run_log_new, in the order of their
 * names; empty if there is none.  A name without %p is anyone's.  The caller's. */
GPtrArray *run_log_written (const struct run_log *log, pid_t pid);

enum run_log_state {
  RUN_LOG_GOOD,    /* begins like a log */
  RUN_LOG_EMPTY,   /* has no bytes */
  RUN_LOG_FOREIGN, /* something else, or cannot be read */
};

/* What the first bytes of a file say. */
enum run_log_state run_log_state (const char *path);

#endif
