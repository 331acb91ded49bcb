/* indexed-buffer.h -- what is known of a buffer without reading it. */
#ifndef PROFLOG_INDEXED_BUFFER_H
#define PROFLOG_INDEXED_BUFFER_H

#include <proflog/mlpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A longer buffer is left to the reader, which reads it in parts. */
#define BUFFER_WHOLE_MAX ((size_t) 16 << 20)

/* Whether a buffer with this header can be scanned as a whole; all else is left to the reader. */
static inline bool
buffer_is_plain (const struct mlpd_buffer_header *header)
{
  return header->id == MLPD_BUFFER_ID && header->length <= BUFFER_WHOLE_MAX
         && !mlpd_is_loss_mark (header);
}

/* What a buffer holds (buffer-flags.h). */
enum {
  BUFFER_HAS_NAMES = 1 << 0, /* or the beginning of a heap snapshot */
  BUFFER_HAS_HITS = 1 << 1,
  BUFFER_HAS_COUNTERS = 1 << 2,
  BUFFER_ENDS_THREAD = 1 << 3,   /* its own */
  BUFFER_BEGINS_THREAD = 1 << 4, /* it is the first of one */
  BUFFER_IS_DAMAGED = 1 << 5,
};

struct indexed_buffer {
  uint64_t offset; /* of its header */
  uint64_t thread;
  uint64_t time_base;
  uint64_t next_base;   /* no event is after this, the time base of the thread's next buffer ... */
  bool has_next;        /* ... if there is one that bounds it */
  bool is_first;        /* of its thread id */
  bool announces;       /* its thread announces what others saw */
  bool may_be_early;    /* its events may be of times before its time base */
  bool begins_with_jit; /* its first event is one */
  bool is_end_mark;
  uint32_t length; /* of its events */
  /* Where the index is marked: */
  unsigned flags;
  uint64_t earliest; /* time of its events; after the latest if there are none */
  uint64_t latest;
  /* Where a file states it: */
  uint64_t kinds;  /* a bit for each kind of its events */
  uint32_t events; /* how many */
};

/* Bytes of a buffer with its header. */
static inline uint64_t
indexed_buffer_size (const struct indexed_buffer *buffer)
{
  return (uint64_t) MLPD_BUFFER_HEADER_SIZE + buffer->length;
}

#endif
