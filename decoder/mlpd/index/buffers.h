/* buffers.h -- the buffers of a log: positions, contents, and those that can be skipped. */
#ifndef PROFLOG_BUFFERS_H
#define PROFLOG_BUFFERS_H

#include "decoder/input/index-file.h"
#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <proflog/mlpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- a buffer by its header ---- */

/* A longer buffer is left to the reader, which reads it in parts. */
#define BUFFER_WHOLE_MAX ((size_t) 16 << 20)

/* Whether a buffer with this header can be scanned as a whole; all else is left to the reader. */
static inline bool
buffer_is_plain (const struct mlpd_buffer_header *header)
{
  return header->id == MLPD_BUFFER_ID && header->length <= BUFFER_WHOLE_MAX
         && !mlpd_is_loss_mark (header);
}

/* The contents of a buffer (buffer-flags.c). */
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
  uint64_t next_base;   /* the time base of the thread's next buffer: no event is after it */
  bool has_next;        /* there is a next buffer whose time base bounds this one */
  bool is_first;        /* of its thread id */
  bool announces;       /* its thread announces names for others */
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

/* ---- positions of buffers, from their headers alone ---- */

/* Reads nothing but headers, so only of a plain file that can be read anywhere.  Of a log with an
 * index beside it, only those that are not in that. */

struct buffer_index {
  struct mlpd_file_header header; /* without its texts */
  char *arguments;                /* of the profiler; NULL: unknown */
  uint64_t alloc_sampling;        /* see mlpd-origin.h */
  uint64_t header_length;
  GArray *buffers;         /* of struct indexed_buffer, one after the other */
  uint64_t end;            /* of the last of them */
  bool whole;              /* nothing follows it */
  bool has_flags;          /* each buffer states its contents */
  guint marked;            /* buffers from the first on that do, by the file beside the log */
  enum index_state cached; /* how that file suits the log */
};

/* Are the contents of the buffer known?  For use only if nothing else depends on it: with flags,
 * more is read of some buffers and less of others. */
static inline bool
buffer_index_knows (const struct buffer_index *index, guint n)
{
  return index->has_flags || n < index->marked;
}

/* The index of a log; NULL if it cannot be read anywhere or does not begin with a header.  Bytes
 * that do not seem to be a buffer end the index.  Free it with buffer_index_free. */
struct buffer_index *buffer_index_read (struct log_input *input);

/* The same, but NULL if no file beside the log states it for all of the log or a part. */
struct buffer_index *buffer_index_read_cached (struct log_input *input);
void buffer_index_free (struct buffer_index *index);

/* The buffer whose header is at this offset; NULL if none is. */
const struct indexed_buffer *buffer_index_find (const struct buffer_index *index, uint64_t offset);

/* The time of the last event of any thread, 0 if there is none: decodes the buffers that may have
 * it, which are the last ones of threads.  False if the index is not whole or one of them cannot be
 * read. */
bool buffer_index_last_time (const struct buffer_index *index, struct log_input *input,
                             uint64_t *last);

/* Writes the buffers of a log, at least one, which are all marked.  False and an error if that
 * fails. */
bool buffer_index_file_write (struct log_input *input, uint64_t header_length,
                              const GArray *buffers, GError **error);

/* ---- flags of buffers by their contents ---- */

/* Any buffer may have names, counters or samples of other threads among its events.  So all events
 * are read, on all cores, but no more is retained of these than their places and times. */

/* Marks all buffers but those that are marked; `threads` go through them (0: as many as there are
 * cores).  A buffer that cannot be read or decoded is marked as damaged. */
void buffer_flags_make (struct buffer_index *index, struct log_input *input, unsigned threads);

/* Makes the file beside a log (buffer-index.c) state all its buffers with their marks.  Writes
 * nothing if it does, or if the log has none.  False and an error if it cannot be written. */
bool buffer_flags_store (struct log_input *input, GError **error);

/* ---- a read of a log without the buffers that are not needed ---- */

struct buffer_skip {
  const struct buffer_index *index; /* borrowed, as all here */
  struct log_input *input;
  struct mlpd_reader *reader;
  /* Is this buffer of the index to be read?  Is called once the reader has all before it. */
  bool (*is_needed) (const void *data, guint n);
  void (*passed) (const void *data, guint n); /* it is not; NULL: not called */
  const void *data;
  uint64_t at, end; /* the range to be read next */
  guint next;       /* the first buffer after that */
  uint8_t *bytes;   /* that the reader has */
};

void buffer_skip_init (struct buffer_skip *skip, const struct buffer_index *index,
                       struct log_input *input, struct mlpd_reader *reader);
void buffer_skip_clear (struct buffer_skip *skip);

/* When the reader needs more: the next bytes, to be pushed, valid until the next call; 0 at the
 * end.  Buffers before them are passed.  If buffers are not as their headers state, all that
 * follows is read. */
size_t buffer_skip_read (struct buffer_skip *skip);

#endif
