/* cmd-info.c -- proflog info */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/cli/summary-command.h"
#include "decoder/views/ghc-report.h"
#include "decoder/views/info.h"

int
cmd_info (int argc, char **argv)
{
  const struct summary_command command = {
    .name = "info",
    .summary = "tell what a log holds",
    .description
    = "Events are shown by kind, with their bytes and the share of these in the log.  That a log "
      "is\n"
      "complete is known of those of proflog's module, which mark their end, and of those of the\n"
      "stock profiler that tell the end of the main thread.\n\n"
      "Examples:\n"
      "  proflog info app.mlpd\n"
      "  proflog info --format json app.mlpd | jq .content.complete",
    .rows = 8,
    .selects = SELECTS_PARTS | SELECTS_CAPS,
    .schema = INFO_SCHEMA,
    .sections = info_sections,
    .ghc_sections = ghc_info_sections,
  };
  return summary_command_run (&command, argc, argv);
}
