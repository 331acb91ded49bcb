/* compare.h -- differences of runs, verdicts, and the keys of figures. */
#ifndef PROFLOG_COMPARE_H
#define PROFLOG_COMPARE_H

#include "decoder/core/chance.h"
#include "decoder/views/compare/budgets.h"
#include "decoder/views/compare/runs.h"
#include <glib.h>

/* ---- the keys of all figures that reports can have ---- */

/* Of char *, without doubles, section by section; cells of tables are TABLE[NAME].COLUMN.  Free
 * with g_ptr_array_unref. */
GPtrArray *figure_keys_new (void);

/* ---- the figures of two groups of runs, side by side ---- */

/* A row of the comparison. */
struct run_diff_row {
  char *name;
  enum emitter_type type; /* of the figure */
  struct run_amounts base, now;
  /* Of groups: */
  enum chance_distance distance;
  double chance; /* the probability of it; NAN: of a run on each side, or none */
};

/* Frees its name; for g_array_set_clear_func. */
void run_diff_row_clear (void *row);

/* Whether chance explains a change: for groups by chance_distance, for two estimates from samples
 * by their errors; UNKNOWN: of two other figures. */
enum run_spread { RUN_SPREAD_UNKNOWN, RUN_SPREAD_WITHIN, RUN_SPREAD_FEW, RUN_SPREAD_BEYOND };
enum run_spread run_diff_spread (const struct run_diff_row *row);

/* How many runs on each side would tell whether there is a change of this size, by how far the runs
 * of a side are from each other; without several on a side, as if they deviated by
 * so many percent.  G_MAXUINT: there is no change. */
guint run_diff_runs_needed (const struct run_diff_row *row, double deviation_percent);

/* Of 80 runs of one program on a machine that did other things, too. */
#define RUN_DEVIATION_PERCENT 13.0

/* Of the durations of 220 runs of one program while twenty others wanted its two processors: a
 * duration has the time in which the program waited for its turn, processor time has not. */
#define RUN_DURATION_DEVIATION_PERCENT 40.0

/* How far runs of one program deviate in a figure, in percent, if one on each side is all that is
 * known of them; 0: it is not known, or what is counted need not vary. */
double run_diff_deviation (const char *key);

/* May a run on each side differ so much in a figure by chance: by 1.96 deviations of a difference
 * of two?  Twice and half are equally far away. */
bool run_diff_is_within_one_run (const char *key, double base, double now);

/* From the median of the base to the other one; 0 if one of them is unknown. */
int64_t run_diff_change (const struct run_diff_row *row);

/* In percent of the base; NAN if that is 0 or unknown. */
double run_diff_percent (const struct run_diff_row *row);

/* The runs of a side: of struct run_figures *. */
struct run_groups {
  const GPtrArray *base, *now;
};

/* The row of a value, to be cleared; false if no run has it. */
bool run_diff_value (const struct run_groups *groups, const char *key, struct run_diff_row *row);

/* The rows of a table (of struct run_diff_row), the largest change first; `names`: keys of columns,
 * with commas between them.  NULL if a side does not have the column.  The time and memory are
 * those of all rows of all runs, and of sorting. */
GArray *run_diff_rows (const struct run_groups *groups, const char *table, const char *column,
                       const char *names);

/* ---- verdicts: the first sentences of a comparison ---- */

/* Whether the runs are slower or faster, and whether they allocate more or less. */

/* The sentences, at least one (transfer full: of char *).  `has_other_cpu`: processor time has
 * another meaning in some of the runs, and is not judged. */
GPtrArray *diff_verdict (const struct run_groups *groups, bool has_other_cpu);

/* ---- the report of 'proflog diff': the figures and tables of results.def ---- */

#define DIFF_SCHEMA "proflog.diff/1"

/* Writes the comparison; `results`: of budgets, NULL: there are none. */
void diff_report_write (struct emitter *emitter, const struct run_groups *groups,
                        const struct view *view, const struct budget_results *results);

/* The shapes of its tables, for table_check_keys (transfer container). */
GPtrArray *diff_report_shapes (void);

/* ---- results of budgets as JUnit XML: a test case for each budget ---- */

/* The text of the file (transfer full). */
GString *junit_new (const struct budget_results *results);

#endif
