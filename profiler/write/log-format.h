/* log-format.h -- the bytes of a log: those of a Mono log (log-mlpd.c), or of an eventlog
 * (log-eventlog.c).
 *
 * On the writer's thread only, but for `events.pass`, which any thread may call.
 */
#ifndef PROFILER_LOG_FORMAT_H
#define PROFILER_LOG_FORMAT_H

#include "profiler/record/buffer.h"

/* Room for a file's header: the part that a spool can hold, and as much again for the rest. */
#define LOG_HEADER_ROOM ((size_t) 2 * PROFLOG_SPOOL_LOG_HEADER_MAX)

#define LOG_MOMENT_MAX MLPD_MOMENT_MAX
#define LOG_END_ROOM (LOG_MOMENT_MAX + 3 * MLPD_BUFFER_HEADER_SIZE)

struct log_file;

/* The description of the recording in the file header, where its version has room for it.  The
 * texts stay valid. */
struct log_origin {
  const char *arguments, *architecture, *operating_system, *runtime;
};

struct log_format {
  const char *name;  /* of the format */
  size_t frame_size; /* bytes in front of the events of a buffer */
  size_t end_size;   /* bytes that end a whole log */

  /* Counting events, and the header of the events after them. */
  struct buffer_format events;

  /* Writes the file header, at most LOG_HEADER_ROOM; returns its length. */
  size_t (*put_header) (uint8_t *to, const struct log_origin *origin);

  /* Writes the frame in front of the events of a buffer. */
  void (*put_frame) (uint8_t *to, const struct mlpd_buffer_header *header, const uint8_t *events,
                     size_t length);

  /* Writes, in as many bytes as a frame has, the check after a buffer with this header and sum, the
   * `number`-th of the file; NULL: there is none. */
  void (*put_check) (uint8_t *to, const struct mlpd_buffer_header *header, uint64_t sum,
                     uint64_t number);

  /* Events of a buffer were written into the log, or would have been if it had a reader; NULL: the
   * format has no state. */
  void (*note) (const struct mlpd_buffer_header *header, const uint8_t *events, size_t length);

  /* Makes the events of a buffer, at most LOG_MOMENT_MAX bytes, that state nothing but their time,
   * and its header; returns their length.  The first and the last buffer of a log, or of a file of
   * it, are such, so that readers know from when to when it was recorded, however quiet the program
   * is.  NULL: the format has other bytes for that. */
  size_t (*make_moment) (struct mlpd_buffer_header *header, uint8_t *events, uint64_t time);

  /* Another file begins: writes the state that a reader needs, by log_put_events.  NULL: names are
   * announced instead. */
  void (*put_state) (struct log_file *to);

  /* Another file begins: writes the values of counters as of that time; NULL: it has none. */
  void (*put_counters) (struct log_file *to, const struct counter_state *state, uint64_t time);

  /* Records that this many events are not in the log.  `reason`: the errno number with which
   * writing ended, or 0.  The times of the written events are not before `time`. */
  void (*put_losses) (struct log_file *to, uint64_t events, int reason, uint64_t time);

  /* Records that the log ends before the program, for this reason. */
  void (*put_limit) (struct log_file *to, const char *reason);

  /* The log ends: writes the last events by log_put_events (NULL: there are none), then the bytes
   * that end a whole log. */
  void (*put_last) (struct log_file *to);
  void (*put_end) (uint8_t *to, uint64_t time);
};

extern const struct log_format log_format_mlpd, log_format_eventlog;

/* The format of the log; set before anything is recorded. */
extern const struct log_format *log_format;

/* Bytes of a buffer beside its events. */
static inline size_t
log_frame_size (void)
{
  return log_format->frame_size * (log_format->put_check != NULL ? 2 : 1);
}

/* Bytes at the end of a whole log, at most. */
static inline size_t
log_end_size (void)
{
  return log_format->end_size
         + (log_format->make_moment != NULL ? log_frame_size () + LOG_MOMENT_MAX : 0);
}

#endif
