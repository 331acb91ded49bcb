/* log-chunks.h -- divides a log into chunks of whole buffers that can be scanned by themselves.
 *
 * Only headers are inspected.  Bytes that do not seem to be whole buffers (file headers, damage, a
 * cut end) come as a chunk that is `plain`: the reader (mlpd-reader.h) decides their meaning.
 *
 * Of a plain file, no more is read here than the beginnings of buffers, as long as they seem to
 * follow one another; the worker that scans a chunk reads it, and finds whether they do.  All else
 * is read in turn.
 */
#ifndef PROFLOG_LOG_CHUNKS_H
#define PROFLOG_LOG_CHUNKS_H

#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/input/log-input.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

struct log_chunk {
  uint8_t *bytes; /* if they were read */
  size_t length;
  size_t room;
  uint64_t offset; /* in the log */
  bool plain;
  bool skipped;  /* that is not requested: `length` bytes that were not read */
  bool unread;   /* `length` bytes to be read of the input: its end may be a guess */
  bool end_mark; /* its last buffer is one; unread: not known */
};

/* Bytes that were read and not given yet. */
struct log_ahead {
  uint8_t *bytes;
  size_t room;
  size_t at, length; /* where they begin, and how many they are */
};

struct log_chunks {
  struct log_input *input; /* borrowed */
  unsigned threads;        /* that scan them */
  size_t bytes;            /* of a chunk at most, unless one buffer is larger */
  bool reads_headers;      /* only, at present */
  uint64_t alloc_sampling; /* that the header states, see mlpd-origin.h */
  struct log_ahead ahead;
  uint64_t offset;              /* of the first byte of that */
  bool at_end;                  /* of the input */
  struct buffer_filter *filter; /* borrowed; NULL: all is requested */
  guint next;                   /* of the filter's index */
  bool has_header;
  bool is_other;                  /* another log has begun, of which nothing is read */
  struct mlpd_file_header header; /* without its texts: of the buffers that follow */
};

/* More than a file header has in front of its texts. */
#define CHUNK_BYTES_MIN 64

/* Chunks of up to this many bytes (at least these), or of one buffer that is larger; for this many
 * threads. */
void log_chunks_init (struct log_chunks *chunks, struct log_input *input, unsigned threads,
                      size_t bytes);
void log_chunks_clear (struct log_chunks *chunks);

/* Before the first chunk: not all is requested. */
void log_chunks_set_filter (struct log_chunks *chunks, struct buffer_filter *filter);

/* The next chunk, into *chunk, whose memory is used again; length 0 at the end.  False with
 * PROFLOG_READ_ERROR_INPUT if reading fails.  Begins the filter with the first buffer, if there is
 * a filter that was not begun. */
bool log_chunks_next (struct log_chunks *chunks, struct log_chunk *chunk, GError **error);

#endif
