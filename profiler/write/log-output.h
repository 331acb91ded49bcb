/* log-output.h -- the log from its beginning to its end: headers, buffers, names; in one file after
 * the other where that is requested.
 *
 * On the writer's thread only, unless a comment permits other threads.
 */
#ifndef PROFILER_LOG_OUTPUT_H
#define PROFILER_LOG_OUTPUT_H

#include "profiler/write/log-file.h"
#include "profiler/write/log-keep.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "profiler/write/log-rotate.h"
#include <limits.h>

struct log_limit {
  uint64_t bytes;      /* of all files, as they are on the disk; 0: any number */
  uint64_t ns;         /* of recording; 0: any time */
  void (*stop) (void); /* from now on nothing is recorded */
};

/* Whether the log is to end now.  Stops the recording if its time is over. */
bool log_limit_is_reached (void);

/* The log ends because of its size. */
bool log_limit_is_of_size (void);

/* The system's time when log_limit_is_reached is to be called even if no work arrives. */
uint64_t log_limit_next_deadline (void);

/* Before log_open. */
void log_describe (const struct log_origin *origin);

/* The options that it describes.  From any thread. */
const char *log_options (void);

/* Before the thread is started.  Takes ownership of the sink.  `set_failed` is called when the log
 * fails, and with false when another file was selected (log_change). */
void log_open (struct sink *sink, const struct log_rotation *rotation,
               const struct log_keeping *keeping, const struct log_limit *limit,
               void (*set_failed) (bool has_failed));

/* Writes the file header.  Returns 0 or an errno number. */
int log_write_header (void);

/* Writes the events of a buffer up to `length` bytes that are not in the log, after all names that
 * were announced before; if the log has no reader, counts them as lost.  False if the log has
 * failed. */
bool log_put_buffer (struct buffer *buffer, size_t length);

/* Readers of the log see all that was written.  Returns 0 or an errno number: why it can no
 * longer be written. */
int log_flush (void);

/* Work that is due by time: another file, another reader, names again. */
void log_run_timers (void);

/* Writes the losses and, unless the spool has the rest, the end of the log, and closes it; a file
 * is left to the system for that if the process ends now.  `limit`: the option because of which the
 * log ends before the program; NULL: it does not. */
void log_end (bool process_ends, const char *limit);

/* The result of the log. */
struct log_result {
  uint64_t written;            /* bytes of the last file; of one that is abandoned: of all */
  bool is_removed;             /* by another program, while it was written */
  struct sink_range removed;   /* from the file, likewise */
  char outcome[PATH_MAX + 64]; /* of a command: see sink_wait */
};

/* After the thread's end: waits for a command that reads the log, and frees all. */
void log_close (struct log_result *result);

/* The writer's thread hangs in the log while the process ends. */
void log_abandon (struct log_result *result);

/* In the child of a fork.  After log_start_over, log_open opens one of the child's own, which
 * begins with all names. */
void log_after_fork (void);
void log_start_over (void);

#endif
