/* report-log.h -- the report of one log. */
#ifndef PROFLOG_REPORT_LOG_H
#define PROFLOG_REPORT_LOG_H

#include "decoder/report/summary-values.h"

/* What the reports of all logs share while they are written.  All is borrowed. */
struct report_context {
  const struct summary_command *own;
  struct log_command *command;
  const struct view *view;
  uint64_t interval_ns; /* of timelines; 0: by their length */
  struct emitter *emitter;
  GString *text; /* that the emitter writes */
  struct budget_options *budgets;
};

/* Intervals of a timeline at most. */
guint report_log_intervals (const struct report_context *context);

/* Reports what could be read of a log, also of one that could not be read to its end.  Returns the
 * exit status. */
int report_log_write (struct report_context *context, const char *path);

#endif
