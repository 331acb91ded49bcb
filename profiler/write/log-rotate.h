/* log-rotate.h -- the next file of the log, and the next reader.
 *
 * On the writer's thread only.
 */
#ifndef PROFILER_LOG_ROTATE_H
#define PROFILER_LOG_ROTATE_H

#include "profiler/record/buffer.h"
#include "profiler/sink/sink.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When the log goes on in another file; 0: never. */
struct log_rotation {
  uint64_t bytes;
  uint64_t ns;
};

/* After log_file_open.  `begun`: the time at which the log begins. */
void log_rotate_start (const struct log_rotation *rotation, uint64_t begun);

/* No further file is begun by itself. */
void log_rotate_stop (void);

/* The file header, which each further file begins with; `header` stays valid. */
void log_rotate_set_header (const uint8_t *header, size_t length);

/* The values of counters, in this log (or as they would be if it had a reader), which the files
 * after it begin with.  Takes ownership of `state`; NULL: not changed. */
void log_set_counter_baseline (struct counter_state *state);

/* A buffer with the beginning of the heap snapshot of this number is about to be written. */
void log_rotate_note_shot (uint32_t shot);

/* Whether a part of a heap snapshot was written, and not all of it.  Where that is never divided
 * (recorder_set_shots_whole). */
bool log_rotate_shot_is_open (void);

/* Begins the next file if it is due before `length` bytes more. */
void log_rotate_if_due (size_t length);

/* The same if it is due by time; serves the next reader, where the sink listens for one. */
void log_rotate_run_timers (void);

/* The ns after which log_rotate_run_timers is to be called even if no work arrives. */
uint64_t log_rotate_next_deadline (void);

/* Goes on in another sink (sink_open_other), where the log is complete in itself; where that
 * listens, once it has a reader.  Returns 0; EAGAIN: not now; or another errno number with a
 * message in `why`. */
int log_change (const char *output, char *why, size_t size);

/* From any thread: how long threads wait for room where the log is written to a file, and to a
 * reader.
 */
void log_set_blocking (unsigned ms, unsigned reader_ms);

/* It counts from now on as for this sink. */
void log_apply_blocking (const struct sink *sink);

/* Closes the current file after its end, unless that could not be written. */
void log_finish_file (bool process_ends);

/* A file that could not be written, and was truncated to whole buffers, has room for an end: its
 * error is cleared. */
void log_clear_error_for_end (void);

/* In the child of a fork. */
void log_rotate_start_over (void);

#endif
