/* diff-report.h -- the report of `proflog diff`: tables of what compare.def lists. */
#ifndef PROFLOG_DIFF_REPORT_H
#define PROFLOG_DIFF_REPORT_H

#include "decoder/views/compare/budgets.h"
#include "decoder/views/compare/run-diff.h"

#define DIFF_SCHEMA "proflog.diff/1"

/* Writes the comparison; `results`: of budgets, NULL: there are none. */
void diff_report_write (struct emitter *emitter, const struct run_groups *groups,
                        const struct view *view, const struct budget_results *results);

/* The shapes of its tables, for table_check_keys (transfer container). */
GPtrArray *diff_report_shapes (void);

#endif
