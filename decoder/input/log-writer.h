/* log-writer.h -- the process that is writing a log. */
#ifndef PROFLOG_LOG_WRITER_H
#define PROFLOG_LOG_WRITER_H

#include <stdbool.h>

/* The process that has the regular file open for writing; 0: there is none, or this user may not
 * see it.  Inspects the open files of all processes. */
long log_writer_of (const char *path);

/* Whether a process has its descriptor of this number ("12") open for writing. */
bool log_writer_writes (long pid, const char *descriptor);

#endif
