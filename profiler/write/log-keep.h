/* log-keep.h -- the files of the log that are there: the oldest are deleted, where that is
 * requested, and all others can be read while the log is written.
 *
 * On the writer's thread only, unless a comment permits other threads.
 */
#ifndef PROFILER_LOG_KEEP_H
#define PROFILER_LOG_KEEP_H

#include "profiler/sink/sink.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which finished files remain beside the current one. */
struct log_keeping {
  uint64_t files; /* at most; 0: any number */
  uint64_t ns;    /* those that ended within this time; 0: any time */
  enum pack pack; /* of all files */
  bool is_ring;   /* no file remains when the program ends by itself */
};

/* Before the first file. */
void log_keep_start (const struct log_keeping *keeping);

/* The log goes on in this file, whose header ends at `from` (0: it cannot be left out), or
 * elsewhere than in a file. */
void log_keep_begin (struct sink *sink, uint64_t from);

/* The current file is whole up to here, unless a heap snapshot is being written. */
void log_keep_note (bool shot_is_open);

/* The current file was finished, as its sink has it, or if it could not be, as it was noted.
 * Deletes those that are not kept. */
void log_keep_end (bool is_finished);

/* Instead, where another output was selected: the files up to now are the user's.  Those of a ring,
 * which ends, are deleted when the program ends by itself. */
void log_keep_leave (void);

/* Whether the log goes to a ring. */
bool log_keep_is_ring (void);

/* Deletes files that have become too old. */
void log_keep_run_timers (void);

/* The ns after which log_keep_run_timers is to be called even if no work arrives. */
uint64_t log_keep_next_deadline (void);

/* Bytes of the files that were deleted. */
uint64_t log_keep_deleted (void);

/* The program has ended by itself: deletes the files of a ring. */
void log_keep_discard (void);

/* ---- from any thread ---- */

/* A file that is kept.  The log's header ends, and its buffers begin, at `from`. */
struct kept_file {
  int fd;
  uint64_t from;
  struct sink_whole whole;
};

/* How the files are compressed. */
enum pack log_keep_pack (void);

/* Opens the current file and, before it, the finished ones that ended at `since` (clock_now) or
 * later, the oldest first, in *files (free it).  Returns their number; 0, with a message in `why`:
 * there is none, or they cannot be opened. */
size_t log_keep_open (uint64_t since, struct kept_file **files, char *why, size_t size);

/* Whether a heap snapshot was being written when the log was last noted; its events do not count as
 * whole yet. */
bool log_keep_has_open_shot (void);

/* The number of files that are there. */
size_t log_keep_count (void);

/* Whether the log goes to a file that can be saved; also in a signal handler. */
bool log_keep_has_file (void);

/* In the child of a fork. */
void log_keep_start_over (void);

#endif
