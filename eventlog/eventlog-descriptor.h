/* eventlog-descriptor.h -- writes to descriptors without waiting for their readers. */
#ifndef PROFLOG_EVENTLOG_DESCRIPTOR_H
#define PROFLOG_EVENTLOG_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes to a socket, or to a file that may be full (a pipe, a terminal), the bytes that it accepts
 * at once; to other files all bytes.  Returns their number, 0 for none, or -1 with errno.  Raises
 * no signal. */
ssize_t eventlog_descriptor_write (int fd, bool is_socket, bool may_be_full, const void *bytes,
                                   size_t length);

#endif
