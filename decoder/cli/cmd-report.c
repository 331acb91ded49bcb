/* cmd-report.c -- proflog report */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/log/log-page.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

static const struct summary_command report = {
  .rows = 30,
  .is_brief = true,
  .has_joint = true,
  .schema = REPORT_SCHEMA,
  .sections = report_sections,
  .ghc_sections = ghc_report_sections,
  .objects = &section_objects,
};

const struct cli_command command_report = {
  .name = "report",
  .group = CLI_INSPECT,
  .summary = "summarize a log",
  .parameters = "LOG...",
  .description
  = "A report begins with findings, if there are any: sentences about unusual figures, each with "
    "the command that shows more.\n\n"
    "Times count from the first buffer of a Mono log, or the start of an eventlog's program.  "
    "total is the time in a method with its "
    "callees, recursion counted once; self is the time without them.  A collection lasts from its "
    "start to its end.  A pause lasts from the first stopped thread until all threads run "
    "again.\n\n"
    "Several logs have a common part at first, on one time axis: their processes, pauses, pauses "
    "at the same time, marks and messages.\n\n"
    "With --format json there is one object for each log, after that of the common part, and "
    "tables are complete.  CSV contains tables only; with a single table, as with --reports=alloc, "
    "it contains its header and rows.\n\n"
    "The names that mprof-report uses for sections are accepted, too.  objects is the section of "
    "--find and --track, and is shown with them.",
  .describe = summary_command_describe,
  .examples = CLI_EXAMPLES (
      { "Summarize a log", "proflog report app.mlpd" },
      { "Write all rows to a file", "proflog report --limit 0 -o app.txt app.mlpd" },
      { "Write a page for a browser, app.html, and open it", "proflog report --open app.mlpd" },
      { "Print one section for a script",
        "proflog report --format json app.mlpd | jq .allocations" },
      { "Show the 20 methods of the program with the most time of their own",
        "proflog report --reports=calls --sort self_ns -n20 --exclude ^System app.mlpd" },
      { "Write a table for a spreadsheet",
        "proflog report --reports=alloc --format csv app.mlpd >types.csv" },
      { "Find objects by type and size, with the places of their allocation",
        "proflog report --reports=objects --find T:Cache --find S:1K --traces app.mlpd" },
      { "Show the callers of a method", "proflog report --callers String:Concat app.mlpd" },
      { "Show the history of an object",
        "proflog report --reports=objects --track 0x7f0a1c0012c0 app.mlpd" },
      { "Fail if a pause is longer than the budget",
        "proflog report --fail-above gc.pause_p99_ns=5ms app.mlpd" },
      { "Read a log of another machine", "ssh host cat app.mlpd.gz | proflog report -" }),
  .options = { { summary_object_options, 0 },
               { summary_section_options, 0 },
               { mprof_log_options, 0 },
               { mprof_sort_options, offsetof (struct summary_values, mprof) },
               { budget_options, offsetof (struct summary_values, budgets) },
               { log_page_options, offsetof (struct summary_values, log) },
               { log_axis_options, offsetof (struct summary_values, log.axis) },
               SUMMARY_OPTIONS (view_limit_30) },
  .selects = SELECTS_ALL | SELECTS_CAPS,
  .data = &report,
  .columns = summary_command_list_columns,
  .run = summary_command_run,
};
