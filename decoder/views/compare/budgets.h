/* budgets.h -- the most that figures may be, KEY=LIMIT, and how they compare with it.
 *
 * KEY is that of the figure in the JSON report: of a value gc.pause_p99_ns, of a cell of a table
 * allocations.types[System.String].bytes, where the text in brackets is the name of the row.  LIMIT
 * is a number with the unit of the figure; relative to the base +NUMBER, or +PERCENT%.
 */
#ifndef PROFLOG_BUDGETS_H
#define PROFLOG_BUDGETS_H

#include "decoder/output/figure.h"
#include "decoder/views/compare/runs.h"

struct budget {
  char *text;             /* as it was given */
  char *key;              /* of a value, or of a table */
  char *row, *column;     /* of a cell; NULL: of a value */
  const char *limit_text; /* in `text` */
  double limit;           /* in the unit of the figure, or in percent */
  bool is_relative;       /* to the base */
  bool is_percent;
};

/* The unit of a figure, by the last part of its key: a key with "bytes" or at the end "_ns". */
enum figure_unit budget_unit (const struct budget *budget);

/* A list of struct budget. */
GPtrArray *budgets_new (void);

/* Adds a budget.  Fails with G_OPTION_ERROR if it is none, or of a key that is not among `keys` (of
 * char *, see figure_keys_new), with the key that is near. */
bool budgets_add (GPtrArray *budgets, const char *text, const GPtrArray *keys, GError **error);

/* Adds those of a file: one per line; from '#' to the end of a line is a comment, at its beginning
 * or after a blank. */
bool budgets_add_file (GPtrArray *budgets, const char *path, const GPtrArray *keys, GError **error);

/* Is one of them relative? */
bool budgets_need_base (const GPtrArray *budgets);

enum budget_verdict {
  BUDGET_WITHIN,
  BUDGET_EXCEEDED,
  BUDGET_NOISE,   /* above a budget that is relative to the base, but by no more than chance */
  BUDGET_UNKNOWN, /* the log has no such figure */
};

struct budget_result {
  const struct budget *budget; /* borrowed */
  char *log;                   /* its name; of several "N logs" */
  enum budget_verdict verdict;
  bool has_value, has_base;
  bool has_one_run;   /* on each side: chance is judged by what is known of such */
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

/* Is the figure known, and within its budget but for what chance explains? */
bool budget_result_is_good (const struct budget_result *result);

/* Is each figure known, and within its budget but for what chance explains? */
bool budget_results_are_good (const struct budget_results *results);

/* Writes them as a table. */
void budget_results_write (const struct budget_results *results, const struct view *view,
                           struct emitter *emitter);

#endif
