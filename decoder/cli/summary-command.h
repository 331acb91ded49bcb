/* summary-command.h -- commands that read each log whole and print one report of it. */
#ifndef PROFLOG_SUMMARY_COMMAND_H
#define PROFLOG_SUMMARY_COMMAND_H

#include "decoder/cli/budget-options.h"
#include "decoder/cli/log-command.h"
#include "decoder/cli/log-index.h"
#include "decoder/cli/mprof-options.h"
#include "decoder/cli/view-options.h"
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

/* Its tables of options: in struct summary_values.  Those of objects are for `objects`,
 * those of sections for `lines`, `tree` and `findings`. */
extern const struct cli_option summary_options[], summary_object_options[],
    summary_section_options[];

/* All tables of such a command but those for single sections; `limit`: with the default of --limit.
 */
#define SUMMARY_OPTIONS(limit)                                                                     \
  { summary_options, 0 }, { limit, offsetof (struct summary_values, view) },                       \
      { view_options, offsetof (struct summary_values, view) }, { log_selection_options, 0 },      \
      { log_object_option, 0 }, { log_format_option, 0 }, { log_index_option, 0 },                 \
  {                                                                                                \
    log_options, 0                                                                                 \
  }

/* `run` of such a command. */
int summary_command_run (const struct cli_command *command, int argc, char **argv);

/* Its `columns`: those of the sections that are shown without --reports. */
void summary_command_list_columns (const struct cli_command *command, GPtrArray *names);

/* Its `describe`: the names of its sections. */
void summary_command_describe (const struct cli_command *command, GString *text);

/* For options of such a command: the names of all sections, each once. */
void summary_command_list_sections (const struct cli_command *command, GPtrArray *names);

#endif
