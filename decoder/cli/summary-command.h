/* summary-command.h -- commands that read each log whole and print one report of it. */
#ifndef PROFLOG_SUMMARY_COMMAND_H
#define PROFLOG_SUMMARY_COMMAND_H

#include "decoder/analyses/summary.h"
#include "decoder/cli/log-command.h"

/* Reads all logs of the command; calls `write` for each.  Returns the exit status. */
int summary_command_run (struct log_command *command,
                         void (*write) (struct emitter *emitter, const char *name,
                                        const struct summary *summary, const void *data),
                         const void *data);

#endif
