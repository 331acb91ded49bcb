/* buffer-index.h -- where the buffers of a log are, from their headers alone.
 *
 * Reads nothing but headers, so only of a plain file that can be read anywhere.  Of a log with an
 * index beside it, only those that are not in that.
 */
#ifndef PROFLOG_BUFFER_INDEX_H
#define PROFLOG_BUFFER_INDEX_H

#include "decoder/input/index-file.h"
#include "decoder/mlpd/index/indexed-buffer.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

struct buffer_index {
  struct mlpd_file_header header; /* without its texts */
  char *arguments;                /* of the profiler; NULL: unknown */
  uint64_t alloc_sampling;        /* see mlpd-origin.h */
  uint64_t header_length;
  GArray *buffers;         /* of struct indexed_buffer, one after the other */
  uint64_t end;            /* of the last of them */
  bool whole;              /* nothing follows it */
  bool has_flags;          /* each buffer states what it holds */
  guint marked;            /* so many from the first on do: the file beside the log stated it */
  enum index_state cached; /* how that file suits the log */
};

/* Is it known what the buffer holds?  For use only if nothing else depends on it: with flags, more
 * is read of some buffers and less of others. */
static inline bool
buffer_index_knows (const struct buffer_index *index, guint n)
{
  return index->has_flags || n < index->marked;
}

/* The index of a log; NULL if it cannot be read anywhere or does not begin with a header.  What
 * does not seem to be a buffer ends the index.  Free it with buffer_index_free. */
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

#endif
