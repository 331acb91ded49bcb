/* log-clock.h -- where logs lie on the time axis that they share. */
#ifndef PROFLOG_LOG_CLOCK_H
#define PROFLOG_LOG_CLOCK_H

#include "decoder/log/log-ordered.h"

/* Places these logs (of struct ordered_log) of a command: sets their shifts.  All have a time of
 * day, unless it is not needed. */
void log_clock_place (const struct log_command *command, GPtrArray *logs);

/* The time at which a log begins, on its own clock. */
uint64_t log_clock_first (const struct ordered_log *log);

/* The time on the axis, in ns since 1970, of a time on the clock of a log. */
uint64_t log_clock_of (const struct ordered_log *log, uint64_t time);

/* How exactly the log states its time of day, in ns: true times are later by less than this.
 * Negative: unknown. */
int64_t log_clock_error (const struct ordered_log *log);

/* From here on the times of --time-range count from the beginning of the first of the command's
 * logs, if there are several, that are files, on one axis.  They are read once for that.  Else a
 * message states why the range counts in each log by itself. */
void log_range_place (struct log_command *command);

#endif
