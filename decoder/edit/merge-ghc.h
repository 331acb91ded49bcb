/* merge-ghc.h -- one eventlog of several. */
#ifndef PROFLOG_MERGE_GHC_H
#define PROFLOG_MERGE_GHC_H

#include "decoder/edit/merge-logs.h"

/* Writes it to the output of the command.  Returns the exit status, with a message if it is not
 * CLI_OK. */
int merge_eventlogs (struct log_command *command, struct merge_log *logs, size_t n_logs);

#endif
