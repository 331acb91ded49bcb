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

/* What was written until now can be read, even if the process is killed. */
int sink_flush (struct sink *sink);

/* Finishes the compression and closes the descriptor.  Returns 0 or an errno number. */
int sink_finish (struct sink *sink);

void sink_free (struct sink *sink);

/* What the sink is called, for messages. */
const char *sink_name (const struct sink *sink);

/* The path of the regular file that the log goes to; NULL if it goes elsewhere, or nobody knows
 * where. */
const char *sink_file (const struct sink *sink);

/* Whether somebody reads the log while it is written: from a pipe or a socket. */
bool sink_has_reader (const struct sink *sink);

/* The same open file above standard error, with `fd` closed, and closed by exec: a program that was
 * started without standard output or error must not write into it.  -1 with errno. */
int sink_above_standard (int fd);

#endif
