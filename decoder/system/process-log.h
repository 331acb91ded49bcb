/* process-log.h -- logs of programs that do not answer. */
#ifndef PROFLOG_PROCESS_LOG_H
#define PROFLOG_PROCESS_LOG_H

#include <stdbool.h>

/* A log of Mono or GHC that the process has open for writing, as a path at which it can be read
 * here (transfer full); NULL if none is found.  `can_be_packed`: any compressed file is one. Thread
 * safe. */
char *process_log_find (long pid, bool can_be_packed);

#endif
