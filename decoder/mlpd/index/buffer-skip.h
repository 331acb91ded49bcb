/* buffer-skip.h -- reads a log with an index forward, without the buffers that are not needed. */
#ifndef PROFLOG_BUFFER_SKIP_H
#define PROFLOG_BUFFER_SKIP_H

#include "decoder/mlpd/index/buffer-index.h"

#include <proflog/mlpd-reader.h>

struct buffer_skip {
  const struct buffer_index *index; /* borrowed, as all here */
  struct log_input *input;
  struct mlpd_reader *reader;
  /* Is this buffer of the index to be read?  Is called once the reader has all before it. */
  bool (*is_needed) (const void *data, guint n);
  void (*passed) (const void *data, guint n); /* it is not; NULL: not called */
  const void *data;
  uint64_t at, end; /* what is read next, and up to where */
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
