/* log-figures.h -- reads a log into the figures of its report. */
#ifndef PROFLOG_LOG_FIGURES_H
#define PROFLOG_LOG_FIGURES_H

#include "decoder/log/log-kind.h"
#include "decoder/views/compare/runs.h"

/* The figures of a log whose format was detected.  `view`: its `sections` and `ghc_sections` are
 * those that are recorded; `has_budgets`: and all others, for budgets.  NULL if the log cannot be
 * read; *status is the exit status in any case. */
struct run_figures *log_command_read_figures (struct log_command *command, const char *path,
                                              const struct log_kind *kind, const struct view *view,
                                              bool has_budgets, int *status);

#endif
