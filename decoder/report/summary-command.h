/* summary-command.h -- commands that read each log whole and print one report of it. */
#ifndef PROFLOG_SUMMARY_COMMAND_H
#define PROFLOG_SUMMARY_COMMAND_H

#include "decoder/log/log-index.h"
#include "decoder/report/summary-values.h"

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
