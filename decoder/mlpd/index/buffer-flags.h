/* buffer-flags.h -- marks the buffers of an index with what they hold.
 *
 * Any buffer may have names, counters or samples of other threads between what is of no concern to
 * them.  So all events are read, on all cores, but no more is retained of them than where such
 * are and what times they are of.
 */
#ifndef PROFLOG_BUFFER_FLAGS_H
#define PROFLOG_BUFFER_FLAGS_H

#include "decoder/mlpd/index/buffer-index.h"

/* Marks all buffers but those that are marked; `threads` go through them (0: as many as there
 * are cores).  What cannot be read or decoded is marked as damaged. */
void buffer_flags_make (struct buffer_index *index, struct log_input *input, unsigned threads);

/* Makes the file beside a log (buffer-index.c) state all its buffers with their marks.  Writes
 * nothing if it does, or if the log has none.  False and an error if it cannot be written. */
bool buffer_flags_store (struct log_input *input, GError **error);

#endif
