/* log-format.h -- what the bytes of a log are: those of a Mono log (log-mlpd.c), or of an eventlog
 * (log-eventlog.c).
 *
 * On the writer's thread only, but for `pass`, which any thread may call.
 */
#ifndef PROFLOG_LOG_FORMAT_H
#define PROFLOG_LOG_FORMAT_H

#include "profiler/log-output.h"

/* Room for a file's header: what a spool can hold, and as much again for what it cannot. */
#define LOG_HEADER_ROOM ((size_t) 2 * PROFLOG_SPOOL_LOG_HEADER_MAX)

struct log_format {
  const char *name;  /* of the sort of log */
  size_t frame_size; /* bytes in front of the events of a buffer */
  size_t end_size;   /* bytes that end a whole log */

  /* Writes what a file begins with, at most LOG_HEADER_ROOM; returns how much. */
  size_t (*put_header) (uint8_t *to, const struct log_origin *origin);

  /* Writes what stands in front of the events of a buffer. */
  void (*put_frame) (uint8_t *to, const struct mlpd_buffer_header *header, const uint8_t *events,
                     size_t length);

  /* Goes over the events of a buffer: counts them, and makes the header of what follows them. False
   * if they make no sense. */
  bool (*pass) (const struct mlpd_buffer_header *header, const uint8_t *events, size_t length,
                uint64_t *count, struct mlpd_buffer_header *rest);

  /* Events of a buffer have come into the log, or would have if somebody read it; NULL: that
   * matters to nobody. */
  void (*note) (const struct mlpd_buffer_header *header, const uint8_t *events, size_t length);

  /* Another file begins: says what a reader needs to know, by log_put_events.  NULL: that are
   * names. */
  void (*say_state) (void);

  /* Another file begins: says, at that time, what is known of counters; NULL: it has none. */
  void (*put_counters) (const struct counter_state *state, uint64_t time);

  /* Tells by log_put_events that so many events are not in it, if there is a way to say that; its
   * own times are not before `time`. */
  void (*put_losses) (uint64_t events, uint64_t time);

  /* The log ends, says what is left to be said by log_put_events (NULL: nothing); then what ends a
   * whole log. */
  void (*put_last) (void);
  void (*put_end) (uint8_t *to);
};

extern const struct log_format log_format_mlpd, log_format_eventlog;

/* That of the log; set before anything is recorded. */
extern const struct log_format *log_format;

/* Writes events with what stands in front of them. */
void log_put_events (struct mlpd_buffer_header header, const uint8_t *events, size_t length);

#endif
