/* buffer.h -- a buffer of events, and the other kinds of work in the writer's queue.
 *
 * Buffers lie in the spool (spool-file.h).  One thread fills a buffer; the writer may write a
 * prefix of it meanwhile (recorder.h).
 */
#ifndef PROFILER_BUFFER_H
#define PROFILER_BUFFER_H

#include "profiler/os/queue.h"
#include "profiler/record/spool-file.h"
#include <proflog/mlpd-encode.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of counters, with which the next file of the log begins: events of counters record
 * only how much these changed.  One piece of malloc, with all texts of values; the descriptions
 * stay valid. */
struct counter_state {
  size_t count;
  const struct mlpd_counter *described;
  struct mlpd_counter_value values[]; /* of these, in turn: totals, not differences */
};

/* The kinds of work in the writer's queue. */
enum work_kind { WORK_BUFFER, WORK_DROPPED, WORK_NAME, WORK_FORGET, WORK_NAMES };
struct work {
  struct queue_item item; /* first: a queue item is cast to its work */
  enum work_kind kind;
};

struct buffer {
  struct proflog_spool_slot slot; /* first: the part that readers of the spool know */
  struct work work;
  struct recorder *owner;
  size_t mapped;                  /* bytes of the mapping that begins here */
  struct counter_state *counters; /* after this buffer; NULL: not changed */
  /* The number of the heap snapshot that begins here, and of the one that ends; 0: none. */
  _Atomic uint32_t shot_begun, shot_ended;
  struct mlpd_encoder encoder; /* its bases do not change once the buffer is in use */
  /* The number of bytes that the writer wrote before the buffer was full, and the header of the
   * events after them.  Only the writer changes both while the buffer is in use. */
  _Atomic uint64_t flushed;
  struct mlpd_buffer_header rest;
  uint8_t data[];
};

/* The bytes of the buffer that are in the log.  Relaxed: the writer, which stores it, reads its own
 * value; the buffer's thread reads it only for a count of dropped events, while the writer does
 * not write that buffer (or watches it, and the count may be one flush old). */
static inline size_t
buffer_flushed (const struct buffer *b)
{
  return (size_t) atomic_load_explicit (&b->flushed, memory_order_relaxed);
}

/* The header of the events that are not in the log. */
static inline struct mlpd_buffer_header
buffer_rest_header (const struct buffer *b)
{
  return buffer_flushed (b) == 0 ? b->slot.header : b->rest;
}

/* The buffer that a piece of work is. */
static inline struct buffer *
buffer_of_work (struct work *work)
{
  return (struct buffer *) ((char *) work - offsetof (struct buffer, work));
}

/* Skips events of the log's format, the first of which `header` describes: counts them and
 * makes the header of the events after them.  False if the bytes are not whole events. */
struct buffer_format {
  bool (*pass) (const struct mlpd_buffer_header *header, const uint8_t *events, size_t length,
                uint64_t *count, struct mlpd_buffer_header *rest);
};

/* The format of the log; set before anything is recorded. */
void buffer_set_format (const struct buffer_format *format);

/* Counts the buffer's events up to `length` bytes that are not in the log; *rest is the header of
 * the events after them.  False if they are not whole events.  From any thread that may read the
 * buffer. */
bool buffer_count (const struct buffer *buffer, size_t length, uint64_t *events,
                   struct mlpd_buffer_header *rest);

#endif
