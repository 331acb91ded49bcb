/* summary-values.h -- commands that report on each log whole, and the values of their options. */
#ifndef PROFLOG_SUMMARY_VALUES_H
#define PROFLOG_SUMMARY_VALUES_H

#include "decoder/report/budget-options.h"
#include "decoder/log/log-command.h"
#include "decoder/report/mprof-options.h"
#include "decoder/report/view-options.h"
#include "decoder/views/section.h"

/* The `data` of such a command. */
struct summary_command {
  guint rows; /* of a table in text, without --limit */
  const char *schema;
  const struct section *const *sections;     /* of Mono logs, up to NULL */
  const struct section *const *ghc_sections; /* the same of eventlogs */
  bool is_brief;                             /* text of the usual sections */
  bool has_joint;                            /* several logs have a common part (log-joint.h) */
  const struct section *objects; /* of them, the one of --find and --track; NULL: none */
};

/* The values of its options. */
struct summary_values {
  struct log_command log;
  struct view_options view;
  const char *reports;
  struct cli_number max_frames;
  bool traces;
  bool is_inverted;
  const char *callers, *callees;
  enum view_source source;
  enum view_by by;
  bool is_live, is_peak, is_temporary;
  bool lines;
  struct cli_number interval; /* of timelines */
  bool hides_findings;
  struct budget_options budgets;
  struct mprof_options mprof;
};

#endif
