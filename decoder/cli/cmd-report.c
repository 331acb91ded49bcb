/* cmd-report.c -- proflog report */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/cli/summary-command.h"
#include "decoder/views/ghc-report.h"
#include "decoder/views/report.h"

int
cmd_report (int argc, char **argv)
{
  const struct summary_command command = {
    .name = "report",
    .summary = "sum a log up",
    .description
    = "Times count from the first buffer of the log.  total is the time in a method with\n"
      "its callees, recursion counted once; self without them.  A collection takes from its\n"
      "start to its end, a pause from the first thread stopped to all running again.\n"
      "With --format json there is an object for each log, and tables are whole.  CSV is made\n"
      "of tables; one alone, as with --reports=alloc, has no more than its head and rows.\n\n"
      "Reports: log, damage, jit, gc, allocations, calls, metadata, exceptions, monitors,\n"
      "threads, samples, heapshots, domains, contexts, counters, and kinds (of events), which\n"
      "is shown when it is asked for.  The names of mprof-report are understood, too.\n"
      "objects is what --find and --track are about, and is shown with these.  Of eventlogs of\n"
      "GHC: log, damage, time, heap, gc, sparks, tasks, caps, log_writing, processes, threads\n"
      "and kinds.\n\n"
      "Examples:\n"
      "  proflog report app.mlpd\n"
      "  proflog report --limit 0 -o app.txt app.mlpd\n"
      "  proflog report --format json app.mlpd | jq .allocations\n"
      "  proflog report --reports=calls --sort self_ns -n20 --exclude '^System' app.mlpd\n"
      "  proflog report --reports=alloc --format csv app.mlpd >types.csv\n"
      "  proflog report --reports=objects --find T:Cache --find S:1K --traces app.mlpd\n"
      "  proflog report --reports=objects --track 0x7f0a1c0012c0 app.mlpd\n"
      "  ssh host cat app.mlpd.gz | proflog report -",
    .rows = 30,
    .selects = SELECTS_ALL | SELECTS_CAPS,
    .schema = REPORT_SCHEMA,
    .sections = report_sections,
    .ghc_sections = ghc_report_sections,
    .objects = &section_objects,
  };
  return summary_command_run (&command, argc, argv);
}
