/* log-machines.h -- reads an eventlog for state machines: the events that they inspect. */
#ifndef PROFLOG_LOG_MACHINES_H
#define PROFLOG_LOG_MACHINES_H

#include "decoder/log/log-open.h"

/* Calls `handle` for the events of threads, tasks and sparks in order of time, from the caller's
 * thread, until it is false.  *has_header: whether there was a log.  Returns the exit status. */
int log_command_follow_threads (struct log_command *command, const char *path,
                                bool (*handle) (void *data, const struct ghc_item *item),
                                void *data, bool *has_header);

#endif
