/* log-axis.h -- how the logs of a command lie on one time axis: by their times of day, or as
 * --align and --offset request. */
#ifndef PROFLOG_LOG_AXIS_H
#define PROFLOG_LOG_AXIS_H

#include "decoder/command/command-table.h"

enum log_align {
  LOG_ALIGN_CLOCK, /* times of day */
  LOG_ALIGN_START, /* all logs begin at the same time */
};

struct log_axis {
  enum log_align align;
  GArray *offsets; /* of struct log_offset; NULL: none */
};

void log_axis_clear (struct log_axis *axis);

/* --align and --offset; fields are in struct log_axis. */
extern const struct cli_option log_axis_options[];

/* Is there any of these options, with another value than the default? */
bool log_axis_is_given (const struct log_axis *axis);

/* Is each log of an --offset one of these (up to NULL; `joined`: see log-join.h)?  Fails with
 * G_OPTION_ERROR and the names that there are. */
bool log_axis_check (const struct log_axis *axis, char *const *logs, GHashTable *joined,
                     GError **error);

/* Do the logs need times of day? */
bool log_axis_needs_clocks (const struct log_axis *axis);

/* By how much the log is moved, in ns. */
int64_t log_axis_offset (const struct log_axis *axis, GHashTable *joined, const char *log);

#endif
