/* budgets.h -- the most that figures may be: KEY=LIMIT.
 *
 * KEY is that of the figure in the JSON report: of a value gc.pause_p99_ns, of a cell of a table
 * allocations.types[System.String].bytes, where the text in brackets is the name of the row.  LIMIT
 * is a number with the unit of the figure; relative to the base +NUMBER, or +PERCENT%.
 */
#ifndef PROFLOG_BUDGETS_H
#define PROFLOG_BUDGETS_H

#include "decoder/output/figure.h"

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

#endif
