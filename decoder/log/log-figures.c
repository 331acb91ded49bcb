/* log-figures.c -- log -> summary -> figures. */
#include "config.h"

#include "decoder/log/log-figures.h"
#include "decoder/log/log-summary.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

/* The same with all sections. */
static struct view
whole (const struct view *view)
{
  struct view all = *view;
  all.sections = all.ghc_sections = NULL;
  return all;
}

static struct run_figures *
read_mono (struct log_command *c, const char *path, const struct view *view, bool has_budgets,
           int *status)
{
  const struct view all = whole (view), *widest = has_budgets ? &all : view;
  const struct scan_options options
      = { .depth = c->selection.depth,
          .types = sections_show (widest, report_sections, "exceptions")
                   || sections_show (widest, report_sections, "monitors")
                   || sections_show (widest, report_sections, "waits"),
          .spans = sections_show (widest, report_sections, "spans") };
  struct run_figures *run = NULL;
  struct summary summary;
  *status = log_command_read_summary (c, path, &options, NULL, &summary);
  if (summary.log.has_header)
    run = run_figures_new (path, &summary, view);
  if (run != NULL && has_budgets && view->sections != NULL)
    run->all = run_figures_new (path, &summary, &all);
  summary_clear (&summary);
  return run;
}

static struct run_figures *
read_eventlog (struct log_command *c, const char *path, const struct view *view, bool has_budgets,
               int *status)
{
  const struct view all = whole (view);
  struct run_figures *run = NULL;
  struct ghc_summary summary;
  struct view own = *view;
  own.sections = view->ghc_sections;
  const unsigned features = sections_features (has_budgets ? &all : &own, ghc_report_sections);
  *status = log_command_summarize_eventlog (c, path, &summary, features);
  if (summary.log.headers != 0)
    run = run_figures_new_eventlog (path, &summary, &own);
  if (run != NULL && has_budgets && own.sections != NULL)
    run->all = run_figures_new_eventlog (path, &summary, &all);
  ghc_summary_clear (&summary);
  return run;
}

struct run_figures *
log_command_read_figures (struct log_command *c, const char *path, const struct log_kind *kind,
                          const struct view *view, bool has_budgets, int *status)
{
  return kind == &log_kind_ghc ? read_eventlog (c, path, view, has_budgets, status)
                               : read_mono (c, path, view, has_budgets, status);
}
