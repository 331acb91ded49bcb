/* log-figures.c -- log -> summary -> figures. */
#include "config.h"

#include "decoder/cli/log-figures.h"
#include "decoder/cli/log-summary.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

static void
warn_of_summary (struct log_command *c, const char *path, const GPtrArray *messages, guint first)
{
  for (guint i = first; i < messages->len; i++)
    log_command_warn (c, path, g_ptr_array_index (messages, i));
}

static struct run_figures *
read_mono (struct log_command *c, const char *path, const struct view *view, int *status)
{
  const struct scan_options options = { .depth = c->selection.depth,
                                        .types = sections_show (view, report_sections, "exceptions")
                                                 || sections_show (view, report_sections, "monitors")
                                                 || sections_show (view, report_sections, "waits") };
  struct run_figures *run = NULL;
  struct summary summary;
  summary_init (&summary, &options);
  *status = log_command_summarize (c, path, &summary, NULL);
  const guint warned = summary.log.messages->len;
  summary_finish (&summary);
  warn_of_summary (c, path, summary.log.messages, warned);
  if (summary.log.has_header)
    run = run_figures_new (path, &summary, view);
  summary_clear (&summary);
  return run;
}

static struct run_figures *
read_eventlog (struct log_command *c, const char *path, const struct view *view, int *status)
{
  struct run_figures *run = NULL;
  struct ghc_summary summary;
  struct view own = *view;
  own.sections = view->ghc_sections;
  *status = log_command_summarize_eventlog (c, path, &summary,
                                            sections_features (&own, ghc_report_sections));
  if (summary.log.headers != 0)
    run = run_figures_new_eventlog (path, &summary, &own);
  ghc_summary_clear (&summary);
  return run;
}

struct run_figures *
log_command_read_figures (struct log_command *c, const char *path, enum log_format format,
                          const struct view *view, int *status)
{
  return format == LOG_FORMAT_GHC ? read_eventlog (c, path, view, status)
                                  : read_mono (c, path, view, status);
}
