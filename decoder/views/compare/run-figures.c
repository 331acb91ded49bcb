/* run-figures.c -- records reports, and sums up figures. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/views/compare/runs.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include <math.h>
#include <string.h>

static struct run_figures *
new_run (const char *log, bool is_eventlog)
{
  struct run_figures *run = g_new0 (struct run_figures, 1);
  run->log = g_strdup (log);
  run->is_eventlog = is_eventlog;
  run->record = emitter_record_new ();
  return run;
}

struct run_figures *
run_figures_new (const char *log, const struct summary *summary, const struct view *view)
{
  struct run_figures *run = new_run (log, false);
  struct emitter *e = emitter_new_record (run->record);
  const struct calls *calls = SUMMARY_STATE (summary, calls);
  sections_write (e, REPORT_SCHEMA, log, summary, view, report_sections);
  emitter_free (e);
  if (!selection_is_partial (view->selection)) {
    run->lacks_allocations = summary->allocations.objects == 0;
    run->lacks_calls = calls->total + calls->skipped + calls->unmatched_leaves == 0;
  }
  return run;
}

struct run_figures *
run_figures_new_eventlog (const char *log, const struct ghc_summary *summary,
                          const struct view *view)
{
  struct run_figures *run = new_run (log, true);
  struct emitter *e = emitter_new_record (run->record);
  run->host = g_strdup (ghc_processes_host (&summary->processes));
  sections_write_eventlog (e, REPORT_SCHEMA, log, summary, view, ghc_report_sections);
  emitter_free (e);
  return run;
}

void
run_figures_free (struct run_figures *run)
{
  if (run->all != NULL)
    run_figures_free (run->all);
  emitter_record_free (run->record);
  g_free (run->host);
  g_free (run->log);
  g_free (run);
}

static int
compare_amounts (const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

static double
deviation_of (const uint64_t *amounts, guint count)
{
  double sum = 0, squares = 0;
  for (guint i = 0; i < count; i++)
    sum += (double) amounts[i];
  for (guint i = 0; i < count; i++)
    squares += pow ((double) amounts[i] - sum / count, 2);
  return count > 1 ? sqrt (squares / (count - 1)) : 0;
}

struct run_amounts
run_amounts_of (uint64_t *amounts, guint count)
{
  if (count == 0)
    return (struct run_amounts){ .runs = 0 };
  qsort (amounts, count, sizeof *amounts, compare_amounts);
  const uint64_t low = amounts[(count - 1) / 2], high = amounts[count / 2];
  return (struct run_amounts){ .runs = count,
                               .median = low + (high - low) / 2,
                               .min = amounts[0],
                               .max = amounts[count - 1],
                               .deviation = deviation_of (amounts, count) };
}

uint64_t
run_figures_add_cell (const char *column, uint64_t sum, const struct emitter_any *cell)
{
  if (!emitter_record_is_amount (cell->type))
    return sum;
  return strstr (column, "max") != NULL ? MAX (sum, cell->value.number) : sum + cell->value.number;
}

bool
run_figures_lacks (const struct run_figures *run, const char *key)
{
  return (run->lacks_allocations && g_str_has_prefix (key, "allocations."))
         || (run->lacks_calls && g_str_has_prefix (key, "calls."));
}

uint64_t
run_figures_number (const struct run_figures *run, const char *key)
{
  const struct emitter_record_value *value = emitter_record_value (run->record, key);
  return value != NULL && emitter_record_is_amount (value->type) ? value->value.number : 0;
}

/* The key of a bound, "low" or "high" (transfer full). */
static char *
bound_key (const char *key, const char *bound)
{
  const bool is_time = g_str_has_suffix (key, "_ns");
  const int length = (int) strlen (key) - (is_time ? 3 : 0);
  return g_strdup_printf ("%.*s_%s%s", length, key, bound, is_time ? "_ns" : "");
}

static double
error_between (uint64_t low, uint64_t high)
{
  return high > low ? (double) (high - low) / 2 : 0;
}

struct run_bounds
run_figures_bounds (const struct emitter_record_table *t, const char *column)
{
  g_autofree char *low = bound_key (column, "low");
  g_autofree char *high = bound_key (column, "high");
  return (struct run_bounds){ emitter_record_column (t, low), emitter_record_column (t, high) };
}

double
run_figures_cell_error (const struct emitter_record_table *t, guint row,
                        const struct run_bounds *bounds)
{
  return bounds->low < t->columns->len && bounds->high < t->columns->len
             ? error_between (emitter_record_cell (t, row, bounds->low)->value.number,
                              emitter_record_cell (t, row, bounds->high)->value.number)
             : 0;
}

double
run_figures_error (const struct run_figures *run, const char *key)
{
  g_autofree char *low = bound_key (key, "low");
  g_autofree char *high = bound_key (key, "high");
  return error_between (run_figures_number (run, low), run_figures_number (run, high));
}
