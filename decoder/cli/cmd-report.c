/* cmd-report.c -- proflog report */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/summary-command.h"
#include "decoder/views/report.h"

static void
write_report (struct emitter *emitter, const char *name, const struct summary *summary,
              const void *data)
{
  const int *limit = data;
  report_write (emitter, name, summary, (guint) *limit);
}

int
cmd_report (int argc, char **argv)
{
  int limit = -1;
  const GOptionEntry own[] = { { "limit", 'n', 0, G_OPTION_ARG_INT, &limit,
                                 "Rows of a table at most, 0 for all (text: 30, json: all)", "N" },
                               G_OPTION_ENTRY_NULL };
  struct log_command command;
  int status;
  if (!log_command_parse (&command, "report", "sum a log up",
                          "Times count from the first buffer of the log.  total is the time in a\n"
                          "method with its callees, recursion counted once; self without them.\n\n"
                          "  proflog report app.mlpd\n"
                          "  proflog report --format json app.mlpd | jq .allocations\n"
                          "  zcat app.mlpd.gz | proflog report -\n",
                          own, argc, argv, &status))
    return status;
  if (limit < 0)
    limit = command.format == EMITTER_TEXT ? 30 : 0;
  return summary_command_run (&command, write_report, &limit);
}
