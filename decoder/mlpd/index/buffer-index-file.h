/* buffer-index-file.h -- the marked index of a log in the file beside it (index-file.h). */
#ifndef PROFLOG_BUFFER_INDEX_FILE_H
#define PROFLOG_BUFFER_INDEX_FILE_H

#include "decoder/input/index-file.h"
#include "decoder/mlpd/index/indexed-buffer.h"

/* The buffers that the file states, marked, in their order from the end of the log's header on:
 * struct indexed_buffer, without what follows from those before and after.  None if no file holds.
 */
enum index_state buffer_index_file_read (struct log_input *input, uint64_t header_length,
                                         GArray *buffers);

/* Writes the buffers of a log, at least one, which are all marked.  False and an error if that
 * fails. */
bool buffer_index_file_write (struct log_input *input, uint64_t header_length,
                              const GArray *buffers, GError **error);

#endif
