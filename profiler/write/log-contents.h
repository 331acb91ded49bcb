/* log-contents.h -- the names and the losses that the writer adds to the log. */
#ifndef PROFILER_LOG_CONTENTS_H
#define PROFILER_LOG_CONTENTS_H

#include "profiler/names/names.h"
#include "profiler/record/buffer.h"
#include "profiler/write/log-file.h"

/* ---- announcements of names, and other events of the writer's own thread ---- */

/* On the writer's thread only, unless a comment permits other threads. */

/* Buffers an announcement, which is written with others, at the latest before the next buffer. */
void log_put_name (const struct name_work *work);
void log_flush_names (void);

/* In the end: counts those that a failed log lacks as lost, unless the spool stays and has them. */
void log_end_names (void);

/* The log goes on elsewhere, where all are announced again. */
void log_find_names (void);

/* The bytes of announcements that wait. */
size_t log_names_waiting (void);

/* Writes announcements of all these names and of the size of the heap, marked as repeated
 * (MLPD_REANNOUNCE_BASE). */
void log_reannounce (struct log_file *to, const struct name_list *list);

/* From any thread: the size of the heap, which is re-announced with the names. */
void log_set_heap_size (uint64_t bytes);

/* From any thread: all names that live are announced again soon. */
void log_request_reannounce (void);

/* Re-announces names if that was requested.  False if it cannot be done now. */
bool log_reannounce_if_requested (void);

struct log_sync_point {
  uint64_t time;
  unsigned type; /* MLPD_SYNC_TYPE_... */
};

/* Writes sync points: the log has all events that were recorded up to `until`, from when they were
 * noted on.  False, and nothing is done, if it has names of later than that: times of the writer's
 * events do not fall. */
bool log_put_sync_points (const struct log_sync_point *points, size_t count, uint64_t until);

/* In the child of a fork. */
void log_names_start_over (void);

/* ---- events that are not in the log: counted, and recorded where the format can ---- */

/* On the writer's thread. */

/* Records in the current file the losses that are not recorded yet, and, unless the spool has all
 * that is missing, the errno number with which writing ended (0: none).  The writer's events are
 * not before `time` from then on. */
void log_put_losses (int reason, uint64_t time);

/* The events of a buffer up to `length` bytes that are not in the log could be written nowhere. */
void log_count_loss (const struct buffer *buffer, size_t length);

/* The process ends, and the log has failed: the same, unless the spool stays and has them. */
void log_abandon_buffer (const struct buffer *buffer, size_t length);

/* Threads keep running, and the spool stays for their events. */
void log_leave_rest (void);

/* Whether the spool stays because of either. */
bool log_rest_is_left (void);

/* In the child of a fork. */
void log_losses_start_over (void);

#endif
