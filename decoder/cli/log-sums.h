/* log-sums.h -- sums over several logs, in place of a report of each. */
#ifndef PROFLOG_LOG_SUMS_H
#define PROFLOG_LOG_SUMS_H

#include "decoder/cli/log-command.h"
#include "decoder/output/view.h"

/* Reads the command's logs and writes the sums that the view requests (--by log and the like).
 * Returns the exit status. */
int log_sums_write (struct log_command *command, struct emitter *emitter, const struct view *view);

#endif
