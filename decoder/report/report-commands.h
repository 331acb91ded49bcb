/* report-commands.h -- the commands that show figures, and their options. */
#ifndef PROFLOG_REPORT_COMMANDS_H
#define PROFLOG_REPORT_COMMANDS_H

#include "decoder/command/command-table.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-index.h"
#include "decoder/output/emitter.h"
#include "decoder/output/view.h"
#include "decoder/report/heap-query.h"
#include "decoder/views/compare/budgets.h"
#include "decoder/views/section.h"
#include <stdbool.h>

/* ---- options of tables ---- */

struct view_options {
  struct cli_number limit;
  const char *sort, *fields;
  bool reverse, verbose;
  bool is_raw, has_clock;
};

/* Tables of options, with fields in struct view_options. */
extern const struct cli_option view_limit_8[], view_limit_30[]; /* --limit with its default */
extern const struct cli_option view_options[];

/* Sets the view by the options (clear it with view_clear); `rows` is the default of --limit. */
void view_options_apply (const struct view_options *options, enum emitter_format format, guint rows,
                         struct view *view);
void view_clear (struct view *view);

/* ---- options of budgets ---- */

struct budget_options {
  struct log_command *command; /* of the options; set before they are parsed */
  GPtrArray *keys;             /* of all figures, once they are needed; NULL: not yet */
  GPtrArray *budgets;          /* NULL: none was given */
  GPtrArray *files;            /* of const char *, borrowed: of --budgets; NULL: none */
  bool lists_keys;
  bool needs_selection; /* a log without anything selected is within no budget */
  const char *junit;    /* the file; NULL: none */
  struct budget_results results;
};

/* Its table of options. */
extern const struct cli_option budget_options[];

/* After the options were parsed: reads the files of budgets, and checks that the options fit each
 * other. `has_base`: budgets may be relative. */
bool budget_options_check (struct budget_options *options, bool has_base, GError **error);

/* Prints the keys of all figures that a budget may be of; returns the exit status. */
int budget_options_list_keys (struct budget_options *options);

/* After all results were added: reports figures that are not within their budgets, and writes the
 * JUnit file.  Returns the exit status: `status` of the logs, or CLI_TRUE where that is CLI_OK. */
int budget_options_finish (struct budget_options *options, int status);

void budget_options_clear (struct budget_options *options);

/* ---- options of mprof-report under their other names, for 'proflog report' ---- */

/* They are not in the help: a script for mprof-report keeps working. */

struct mprof_options {
  const char *method_sort, *alloc_sort, *counters_sort; /* columns; NULL: not given */
};

/* Tables of options: those in struct log_command, and those in struct mprof_options. */
extern const struct cli_option mprof_log_options[], mprof_sort_options[];

/* Adds the columns to those of --sort.  `reports` is the value of --reports: tables of other
 * sections are not sorted. */
void mprof_options_apply (const struct mprof_options *options, const char *reports,
                          struct view_options *view);

/* ---- values of options ---- */

/* The `data` of such a command. */
struct summary_command {
  guint rows; /* of a table in text, without --limit */
  const char *schema;
  const struct section *const *sections;     /* of Mono logs, up to NULL */
  const struct section *const *ghc_sections; /* the same of eventlogs */
  bool is_brief;                             /* text of the usual sections */
  bool has_joint;                            /* several logs have a common part (log-joint.c) */
  const struct section *objects; /* of them, the one of --find and --track; NULL: none */
};

/* The values of its options. */
struct summary_values {
  struct log_command log;
  struct view_options view;
  const char *reports;
  struct cli_number max_frames;
  bool traces, own_code;
  bool is_inverted;
  const char *callers, *callees;
  enum view_source source;
  enum view_by by;
  bool is_live, is_peak, is_temporary;
  bool lines;
  struct cli_number interval; /* of timelines */
  bool hides_findings;
  bool each;
  struct budget_options budgets;
  struct mprof_options mprof;
};

/* ---- a command that reads logs whole and reports on each ---- */

/* Its tables of options: in struct summary_values.  Those of objects are for `objects`,
 * those of sections for `lines`, `tree` and `findings`. */
extern const struct cli_option summary_options[], summary_object_options[],
    summary_section_options[];

/* All tables of such a command but those for single sections; `limit`: with the default of --limit.
 */
#define SUMMARY_OPTIONS(limit)                                                                     \
  { summary_options, 0 }, { limit, offsetof (struct summary_values, view) },                       \
      { view_options, offsetof (struct summary_values, view) }, { log_selection_options, 0 },      \
      { log_object_option, 0 }, { log_names_option, 0 }, { log_format_option, 0 },                 \
      { log_index_option, 0 },                                                                     \
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

/* ---- the command under the name mprof-report ---- */

/* Is the program called by that name?  `program` is argv[0]. */
bool mprof_command_is_name (const char *program);

/* Runs it: options, text and status are those of Debian's mprof-report 6.8.  Returns the status. */
int mprof_command_run (int argc, char **argv);

/* ---- 'proflog heap' of an eventlog: its heap profiles ---- */

/* Reads the eventlog of a request and prints the result; returns the exit status. */
int heap_bands_run (struct log_command *command, const struct heap_request *request,
                    const struct view *view);

#endif
