/* budget-check.h -- compares figures with their budgets. */
#ifndef PROFLOG_BUDGET_CHECK_H
#define PROFLOG_BUDGET_CHECK_H

#include "decoder/views/compare/budgets.h"
#include "decoder/views/compare/run-figures.h"

enum budget_verdict {
  BUDGET_WITHIN,
  BUDGET_EXCEEDED,
  BUDGET_UNKNOWN, /* the log has no such figure */
};

struct budget_result {
  const struct budget *budget; /* borrowed */
  char *log;                   /* its name; of several "N logs" */
  enum budget_verdict verdict;
  bool has_value, has_base;
  bool lacks_row;     /* no log has the row that is named: the value is 0 */
  double value, base; /* medians */
  double most;        /* that the value may be */
  char *sentence;     /* of the figures */
};

struct budget_results {
  GPtrArray *all; /* of struct budget_result */
};

void budget_results_init (struct budget_results *results);
void budget_results_clear (struct budget_results *results);

/* Adds a result of each budget, in their order: of the median of the runs (of struct run_figures
 * *); `base`: that of relative budgets, NULL: none.  A row that a log does not have is 0. */
void budget_results_add (struct budget_results *results, const GPtrArray *budgets,
                         const GPtrArray *runs, const GPtrArray *base);

/* Is each figure known and within its budget? */
bool budget_results_are_good (const struct budget_results *results);

/* Writes them as a table. */
void budget_results_write (const struct budget_results *results, const struct view *view,
                           struct emitter *emitter);

#endif
