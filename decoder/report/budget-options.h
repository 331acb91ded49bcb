/* budget-options.h -- --fail-above and the like, for the commands that check figures of logs. */
#ifndef PROFLOG_BUDGET_OPTIONS_H
#define PROFLOG_BUDGET_OPTIONS_H

#include "decoder/log/log-command.h"
#include "decoder/views/compare/budgets.h"

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

/* After all results were added: reports what is not within its budget, and writes the JUnit file.
 * Returns the exit status: `status` of the logs, or CLI_TRUE where that is CLI_OK. */
int budget_options_finish (struct budget_options *options, int status);

void budget_options_clear (struct budget_options *options);

#endif
