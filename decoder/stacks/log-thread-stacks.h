/* log-thread-stacks.h -- the stacks of a log, each below the name of its thread. */
#ifndef PROFLOG_LOG_THREAD_STACKS_H
#define PROFLOG_LOG_THREAD_STACKS_H

#include "decoder/stacks/log-stacks.h"

/* Whether stacks of a cost are known by thread. */
bool log_thread_stacks_have (enum stacks_cost cost);

/* Reads a log, of which these stacks of this cost are (log_stacks_read), once more, and puts those
 * by thread in their place.  Eventlogs are refused: the total is 0 then.  Returns the exit status.
 */
int log_thread_stacks_read (struct log_command *command, const char *path, enum stacks_cost cost,
                            struct export_stacks *stacks);

#endif
