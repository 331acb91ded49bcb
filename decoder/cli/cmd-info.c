/* cmd-info.c -- proflog info */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

static const struct summary_command info = {
  .rows = 8,
  .schema = INFO_SCHEMA,
  .sections = info_sections,
  .ghc_sections = ghc_info_sections,
};

const struct cli_command command_info = {
  .name = "info",
  .group = CLI_INSPECT,
  .summary = "describe the contents of a log",
  .parameters = "LOG...",
  .description
  = "Events are listed by kind, with their bytes and their share of the log.  A log is known to be "
    "complete if it has an end mark, as logs of proflog's module have, or if it records the end of "
    "the main thread, as some logs of the stock profiler do.",
  .describe = summary_command_describe,
  .examples = CLI_EXAMPLES ({ "Describe a log", "proflog info app.mlpd" },
                            { "Print whether it is complete, for a script",
                              "proflog info --format json app.mlpd | jq .content.complete" }),
  .options = { SUMMARY_OPTIONS (view_limit_8) },
  .selects = SELECTS_PARTS | SELECTS_CAPS,
  .data = &info,
  .columns = summary_command_list_columns,
  .run = summary_command_run,
};
