/* log-sums.c -- logs -> figures -> sums. */
#include "config.h"

#include "decoder/cli/log-sums.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-figures.h"
#include "decoder/cli/view-options.h"
#include "decoder/views/compare/run-sums.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

/* NULL if the log cannot be read. */
static struct run_figures *
read_log (struct log_command *c, const char *path, const struct view *view, int *status)
{
  const enum log_format format = log_command_detect_format (c, path);
  *status = CLI_INPUT;
  if (format == LOG_FORMAT_NONE || !log_command_can_select (c, path, format))
    return NULL;
  return log_command_read_figures (c, path, format, view, false, status);
}

int
log_sums_write (struct log_command *c, struct emitter *e, const struct view *view)
{
  struct view own = { .selection = &c->selection, .hides_findings = true };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) run_figures_free);
  int status = CLI_OK;
  sections_parse_both (report_sections, ghc_report_sections, RUN_SUMS_SECTIONS, &own.sections,
                       &own.ghc_sections, NULL);
  for (char **path = c->logs; *path != NULL; path++) {
    int this_status;
    struct run_figures *run = read_log (c, *path, &own, &this_status);
    if (run != NULL)
      g_ptr_array_add (runs, run);
    status = MAX (status, this_status);
  }
  if (runs->len != 0)
    run_sums_write (e, runs, view);
  view_clear (&own);
  return status;
}
