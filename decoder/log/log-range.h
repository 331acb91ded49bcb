/* log-range.h -- a time range of several logs on the axis that they share. */
#ifndef PROFLOG_LOG_RANGE_H
#define PROFLOG_LOG_RANGE_H

#include "decoder/log/log-command.h"

/* From here on the times of --time-range count from the beginning of the first of the command's
 * logs, if there are several, that are files, on one axis.  They are read once for that.  Else a
 * message states why the range counts in each log by itself. */
void log_range_place (struct log_command *command);

#endif
