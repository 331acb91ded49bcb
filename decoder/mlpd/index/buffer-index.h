/* buffer-index.h -- where the buffers of a log are, from their headers alone.
 *
 * Reads nothing but headers, so only of a plain file that can be read anywhere.
 */
#ifndef PROFLOG_BUFFER_INDEX_H
#define PROFLOG_BUFFER_INDEX_H

#include "decoder/input/log-input.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* A longer buffer is left to the reader, which takes it in parts. */
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
  uint64_t next_base; /* no event is after this, the time base of the thread's next buffer ... */
  bool has_next;      /* ... if there is one that bounds it */
  bool is_first;      /* of its thread id */
  bool announces;     /* its thread announces what others saw */
  bool may_be_early;  /* its events may be of times before its time base */
  uint32_t length;    /* of its events */
  /* Where the index is marked: */
  unsigned flags;
  uint64_t earliest; /* time of its events; after the latest if there are none */
  uint64_t latest;
};

struct buffer_index {
  struct mlpd_file_header header; /* without its texts */
  char *arguments;                /* of the profiler; NULL: unknown */
  uint64_t alloc_sampling;        /* see mlpd-origin.h */
  uint64_t header_length;
  GArray *buffers; /* of struct indexed_buffer, one after the other */
  uint64_t end;    /* of the last of them */
  bool whole;      /* nothing follows it */
  bool has_flags;  /* each buffer states what it holds */
};

/* The index of a log; NULL if it cannot be read anywhere or does not begin with a header.  What
 * does not look like a buffer ends the index.  Free it with buffer_index_free. */
struct buffer_index *buffer_index_read (struct log_input *input);
void buffer_index_free (struct buffer_index *index);

/* The buffer whose header is at this offset; NULL if none is. */
const struct indexed_buffer *buffer_index_find (const struct buffer_index *index, uint64_t offset);

/* Bytes of a buffer with its header. */
static inline uint64_t
indexed_buffer_size (const struct indexed_buffer *buffer)
{
  return (uint64_t) MLPD_BUFFER_HEADER_SIZE + buffer->length;
}

/* The time of the last event of any thread, 0 if there is none: decodes the buffers that may have
 * it, which are the last ones of threads.  False if the index is not whole or one of them cannot be
 * read. */
bool buffer_index_last_time (const struct buffer_index *index, struct log_input *input,
                             uint64_t *last);

#endif
