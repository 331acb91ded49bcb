/* chunk-marks.h -- compares the whole buffers of a chunk with their check marks, where no reader
 * reads them (mlpd-check-marks.h).
 */
#ifndef PROFLOG_CHUNK_MARKS_H
#define PROFLOG_CHUNK_MARKS_H

#include "decoder/mlpd/mlpd-check-marks.h"

struct chunk_marks {
  bool has_any;            /* buffer or mark */
  bool begins;             /* with a mark */
  uint64_t first;          /* number of the first mark; MLPD_MARK_UNKNOWN: there is none */
  uint64_t first_sum;      /* that it states */
  struct mlpd_marked last; /* after all that was added */
};

void chunk_marks_start (struct chunk_marks *marks);

/* The next buffer or mark, whole; `bytes` begin with its header, and go on for `left` bytes.
 * `offset` is that of the header in the log.  False: a mark that contradicts the bytes before
 * it. */
bool chunk_marks_add (struct chunk_marks *marks, const struct mlpd_buffer_header *buffer,
                      const uint8_t *bytes, size_t left, uint64_t offset);

/* After the chunk, if this is before it. */
struct mlpd_marked chunk_marks_after (const struct chunk_marks *marks,
                                      const struct mlpd_marked *before);

/* May the chunk follow the mark before it? */
bool chunk_marks_may_follow (const struct chunk_marks *marks, const struct mlpd_marked *before);

#endif
