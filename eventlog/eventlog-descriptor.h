/* eventlog-descriptor.h -- writes to descriptors without waiting for their readers. */
#ifndef PROFLOG_EVENTLOG_DESCRIPTOR_H
#define PROFLOG_EVENTLOG_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes what it can: of a socket, and of what may be full (a pipe, a terminal), what is taken at
 * once; to other files all.  How many bytes that were, or -1 with errno.  No signal is raised. */
ssize_t eventlog_descriptor_write (int fd, bool is_socket, bool may_be_full, const void *bytes,
                                   size_t length);

#endif
