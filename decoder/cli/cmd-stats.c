/* cmd-stats.c -- proflog stats */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

static const struct summary_command stats = {
  .rows = 30,
  .schema = STATS_SCHEMA,
  .sections = stats_sections,
  .ghc_sections = ghc_stats_sections,
};

const struct cli_command command_stats = {
  .name = "stats",
  .group = CLI_INSPECT,
  .summary = "print a summary as GHC programs do with +RTS -s",
  .parameters = "LOG...",
  .description
  = "The summary has the lines that a program prints with +RTS -s, as far as the log contains the "
    "figures; it contains no CPU times.  With --time-range the summary is that of any interval: a "
    "collection belongs to the interval in which it began.  Of a log of Mono, pauses are the time "
    "of the collector.\n\n"
    "Tables follow.  Pauses are those of the capability that led the collection (main: the pause "
    "of +RTS -s), the average of those that took part, the longest one, and from the first "
    "beginning to the last end (span).",
  .describe = summary_command_describe,
  .examples
  = CLI_EXAMPLES ({ "Print the summary of +RTS -s afterwards", "proflog stats app.eventlog" },
                  { "The same of ten seconds",
                    "proflog stats --reports=summary --time-range 10s~20s app.eventlog" },
                  { "Print the longest pause, for a script",
                    "proflog stats --format json app.eventlog | jq .gc.pauses.average.max_ns" }),
  .options = { SUMMARY_OPTIONS (view_limit_30) },
  .selects = SELECTS_TIME_RANGE | SELECTS_CAPS,
  .data = &stats,
  .columns = summary_command_list_columns,
  .run = summary_command_run,
};
