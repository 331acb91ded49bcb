/* summary-parts.h -- the parts of a summary command: sections, passes, reports on several logs. */
#ifndef PROFLOG_SUMMARY_PARTS_H
#define PROFLOG_SUMMARY_PARTS_H

#include "decoder/log/log-command.h"
#include "decoder/output/view.h"
#include "decoder/report/report-commands.h"
#include <glib.h>
#include <stdbool.h>

/* ---- names of --reports that are no sections of a log ---- */

/* The part of a report on all logs. */
#define JOINT_SECTION "joint"

/* Takes a name from a list of names; true if it was there.  *rest (transfer full) is the others;
 * empty: there are none. */
bool section_names_take (const char *list, const char *name, char **rest);

/* ---- sums over several logs, in place of a report of each ---- */

/* Parses the sections of --reports that such sums have: RUN_SUMS_SECTION and sections whose tables
 * can be added up.  False with an error. */
bool log_sums_parse (const char *reports, struct view *view, GError **error);

/* Are the keys of --sort and --fields columns of the tables?  False with an error. */
bool log_sums_check_keys (const struct view *view, GError **error);

/* Reads the command's logs one after the other, and writes the sums that the view requests (--by
 * log and the like).  Returns the exit status. */
int log_sums_write (struct log_command *command, struct emitter *emitter, const struct view *view);

/* ---- the common part of a report over several logs ---- */

/* Its parts: enum joint_parts, and how its time is divided (0: by its length, into `intervals` at
 * most). */
struct log_joint_options {
  unsigned parts;
  uint64_t interval_ns;
  guint intervals;
};

/* Writes it, if the command has several logs that are files with a time of day.  They are read once
 * or twice more: damage and errors are reported with each log's own report.  Returns whether all
 * logs are in it. */
bool log_joint_write (struct log_command *command, struct emitter *emitter,
                      const struct log_joint_options *options, const struct view *view);

/* ---- the report of one log ---- */

/* The state that the reports of all logs share while they are written.  All is borrowed. */
struct report_context {
  const struct summary_command *own;
  struct log_command *command;
  const struct view *view;
  uint64_t interval_ns; /* of timelines; 0: by their length */
  struct emitter *emitter;
  GString *text;     /* that the emitter writes */
  bool has_each;     /* a report is on one occurrence of the time range, not on the first */
  guint occurrences; /* their number; known once the log was read */
  struct budget_options *budgets;
};

/* Intervals of a timeline at most. */
guint report_log_intervals (const struct report_context *context);

/* Reports the readable part of a log, also of one that could not be read to its end.  Returns the
 * exit status. */
int report_log_write (struct report_context *context, const char *path);

#endif
