/* log-output.h -- the log as it is written: headers, buffers, names, its end; in one file after the
 * other where that is asked for.
 *
 * On the writer's thread only, unless told otherwise.  What cannot be written any more is told
 * once; then recording stops.
 */
#ifndef PROFLOG_LOG_OUTPUT_H
#define PROFLOG_LOG_OUTPUT_H

#include "profiler/names.h"
#include "profiler/sink.h"

/* When the log goes on in another file; 0: never. */
struct log_rotation {
  uint64_t bytes;
  uint64_t ns;
};

/* What the file header says of the recording, where its version has room for it.  The texts stay.
 */
struct log_origin {
  const char *arguments, *architecture, *operating_system, *runtime;
};

/* Before log_open. */
void log_describe (const struct log_origin *origin);

/* Before the thread is started.  The sink is the log's from now on.  `may_go_on`: if it fails,
 * another file may be asked for (log_change); until then recording is paused, else it ends. */
void log_open (struct sink *sink, const struct log_rotation *rotation, bool may_go_on);

/* Writes the file header.  Returns 0 or an errno number. */
int log_begin (void);

/* Writes the events of a buffer up to `length` bytes that are not in the log, behind all names that
 * came before; if nobody reads it, counts them as lost.  False if the log has failed. */
bool log_put_buffer (struct buffer *buffer, size_t length);

/* Whether the log cannot be written any more. */
bool log_has_failed (void);

/* The process ends, and the log has failed: what of the buffer up to `length` bytes is not in it
 * stays in the spool, if that is left and has it, else it is counted as lost. */
void log_leave_buffer (struct buffer *buffer, size_t length);

/* Whether the spool is left because of that. */
bool log_rest_is_left (void);

/* This is known of counters from now on, in this log (or would be if somebody read it) and in those
 * that follow it.  Takes `state`; NULL: no more than before. */
void log_know_counters (struct counter_state *state);

/* Takes an announcement, which is written with others, at the latest before the next buffer. */
void log_put_name (const struct name_work *work);
void log_flush_names (void);

struct log_sync_point {
  uint64_t time;
  unsigned type;
};

/* Writes sync points: the log has all events that were recorded up to `until`, from when they were
 * noted on.  False, and nothing is done, if it has names of later than that: times of what the
 * writer tells do not fall. */
bool log_put_sync_points (const struct log_sync_point *points, size_t count, uint64_t until);

/* Whoever reads the log sees all that was written.  Returns 0 or an errno number: why it cannot be
 * written any more. */
int log_flush (void);

/* From any thread: names that live are said again soon. */
void log_want_names_again (void);

/* What is to be done without a buffer that comes. */
void log_tend (void);

/* The ns after which it is to be tended even if nothing comes. */
uint64_t log_rest (void);

/* Goes on in another file (sink_open_other), which is complete in itself.  Returns 0; EAGAIN: not
 * now; or another errno number with a message in `why`. */
int log_change (const char *output, char *why, size_t size);

/* The process ends: no further file is begun. */
void log_keep_file (void);

/* Writes the end of a log that is whole and closes it; a file is left to the system for that if the
 * process ends now. */
void log_end (bool process_ends);

/* After the thread's end: says what went wrong at the end, waits for a command that reads the log,
 * and frees all. */
void log_close (void);

/* Of a log whose thread hangs in it while the process ends. */
void log_give_up (void);

/* In the child of a fork.  After log_start_over, log_open opens one of the child's own, which
 * begins with all names. */
void log_after_fork (void);
void log_start_over (void);

/* Before log_close, from any thread: what the log is called now. */
void log_get_name (char *name, size_t size);

/* From any thread: how many files the log has had up to now, the present one, too. */
uint64_t log_files (void);

/* From any thread: the name of the file of this number, from 1 on; of the last LOG_FILES_KEPT.
 * False if it is none of these. */
#define LOG_FILES_KEPT 16
bool log_get_file (uint64_t number, char *name, size_t size);

/* From any thread: why nothing can be written; 0: it can, LOG_UNREAD: nobody has come to read it,
 * or who did has gone; else an errno number. */
#define LOG_UNREAD (-1)
int log_problem (void);

/* From any thread: for how many ms whoever reads the log, or is to come, has taken nothing of what
 * is being written; 0: nothing is. */
unsigned log_reader_stalls (void);

/* From any thread: bytes of all its files, before compression. */
uint64_t log_bytes (void);

#endif
