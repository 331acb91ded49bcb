/* sink.h -- where the log's bytes go: a file or a descriptor, plain or through gzip. */
#ifndef PROFLOG_SINK_H
#define PROFLOG_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct sink;

/* Opens what the option `output` asks for.  Files are made with mode 0600 and never opened
 * through a symbolic link.  NULL with a message in `why` (of `size` bytes) if that cannot be. */
struct sink *sink_open (const char *output, bool zip, char *why, size_t size);

/* All bytes or an errno number; after a failure nothing is written any more and the same number
 * returned.  From one thread at a time. */
int sink_write (struct sink *sink, const void *bytes, size_t length);

/* Finishes the compression and closes the descriptor.  Returns 0 or an errno number. */
int sink_finish (struct sink *sink);

void sink_free (struct sink *sink);

/* What the sink is called, for messages. */
const char *sink_name (const struct sink *sink);

#endif
