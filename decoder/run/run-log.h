/* run-log.h -- where `proflog run` has the log written, and which logs came. */
#ifndef PROFLOG_RUN_LOG_H
#define PROFLOG_RUN_LOG_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A log's path as it was requested: %p is the process id, %t the time of the start, %% a %. */
struct run_log;

/* Checks that a log can be written to `path`: its directory is there and can be written; the file
 * is not there, or is a regular one that is empty or, with `force`, a profiler log.  NULL and
 * *error otherwise.  `is_numbered`: of several files, which have a number in their names.  Free
 * with run_log_free. */
struct run_log *run_log_new (const char *path, bool is_numbered, bool force, GError **error);
void run_log_free (struct run_log *log);

/* The text with %% for each % (the caller's). */
char *run_log_escape (const char *text);

/* The path of a log that none was requested for, in the current directory: the name of the program
 * without its ending, .%p and the suffix.  The caller's. */
char *run_log_default (const char *program, const char *suffix);

/* The value of the module's option output=, with what the option parser and the expansion of %
 * would take for their own made safe.  The caller's. */
char *run_log_option (const struct run_log *log);

/* The path of the log of this process.  The caller's. */
char *run_log_expand (const struct run_log *log, pid_t pid);

/* The path to name in messages; %p stands for the process id.  The log's. */
const char *run_log_path (const struct run_log *log);

/* Bytes that are free on the disk of the log for this user. */
uint64_t run_log_free_space (const struct run_log *log);

/* The time of run_log_new, in ns since the epoch by the clock of the log's file system; not before
 * that of a log that was there. */
uint64_t run_log_began (const struct run_log *log);

/* Bytes of the files that process `pid` (0: any) has written up to now. */
uint64_t run_log_size (const struct run_log *log, pid_t pid);

/* Paths of the files that process `pid` (0: any) wrote since run_log_new, in the order of their
 * names; empty if there is none.  A name without %p is anyone's.  The caller's. */
GPtrArray *run_log_written (const struct run_log *log, pid_t pid);

/* Where the number of a file begins in its path; 0: it has none, as there is only one file. */
size_t run_log_number_at (const struct run_log *log, const char *path);

#endif
