/* log-suspects.h -- suspected leaks of a log, for the page of its report. */
#ifndef PROFLOG_LOG_SUSPECTS_H
#define PROFLOG_LOG_SUSPECTS_H

#include "decoder/log/log-command.h"
#include "decoder/mlpd/analyses/summary.h"

/* The names of growing classes, and how roots lead to their objects (char * to char *; transfer
 * full). The summary is that of the log, which is read again if it has classes that grow; NULL: it
 * is damaged, a pipe, or its last snapshot has too many objects for a report. */
GHashTable *log_suspects_of (struct log_command *command, const char *path,
                             const struct summary *summary);

#endif
