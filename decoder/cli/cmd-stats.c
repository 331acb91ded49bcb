/* cmd-stats.c -- proflog stats */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/cli/summary-command.h"
#include "decoder/views/ghc-report.h"

int
cmd_stats (int argc, char **argv)
{
  const struct summary_command command = {
    .name = "stats",
    .summary = "tell what +RTS -s tells, from an eventlog of GHC",
    .description
    = "The summary is the one that the program prints itself with +RTS -s, line by line, as far\n"
      "as the log can tell it; CPU times are not in it.  With --time-range it is that of any\n"
      "interval: a collection belongs to where it began.  Tables follow: pauses on the\n"
      "capability that led the collection (main, which is what +RTS -s calls a pause), on the\n"
      "average of those that took part, on the one that took longest, and from the first that\n"
      "began to the last that ended (span).\n\n"
      "Reports: summary, damage, heap, gc, sparks, tasks, time, caps, log_writing, processes.\n\n"
      "Examples:\n"
      "  proflog stats app.eventlog\n"
      "  proflog stats --reports=summary --time-range 10s~20s app.eventlog\n"
      "  proflog stats --format json app.eventlog | jq .gc.pauses.average.max_ns",
    .rows = 30,
    .selects = SELECTS_TIME_RANGE | SELECTS_CAPS,
    .schema = STATS_SCHEMA,
    .ghc_sections = ghc_stats_sections,
  };
  return summary_command_run (&command, argc, argv);
}
