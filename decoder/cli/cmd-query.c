/* cmd-query.c -- proflog query: its options; the command is a program of its own (decoder/query).
 */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/cli/cmd-query.h"
#include "decoder/query/query-values.h"
#include "decoder/command/cli.h"
#include "decoder/command/helper-program.h"
#include "decoder/log/log-index.h"
#include "decoder/command/message.h"
#include <proflog/units.h>

int
cmd_query_run (char **argv)
{
#ifdef HAVE_SQLITE
  return helper_program_run ("proflog-query", argv);
#else
  cli_message ("proflog %s: proflog was built without SQLite", argv[0]);
  return CLI_INPUT;
#endif
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  (void) command;
  (void) argc;
  return cmd_query_run (argv);
}

static bool
parse_memory (void *field, const char *text, GError **error)
{
  uint64_t *bytes = field;
  if (proflog_parse_size (text, 1 << 20, G_MAXINT64, bytes))
    return true;
  return cli_refuse (error, "--max-memory %s: a size of at least 1M is needed", text);
}

static const struct cli_option own[] = {
  { .name = "file",
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct query_values, script),
    .help = "Run the statements in FILE" },
  { .name = "parquet",
    .kind = CLI_STRING,
    .argument = "DIR",
    .offset = offsetof (struct query_values, parquet),
    .help
    = "Run no statement, but write all tables as files of Parquet below DIR, in folders by kind, "
      "date, host and pid" },
  { .name = "timeout",
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct query_values, timeout),
    .min = 1,
    .max = G_MAXINT64,
    .needed = "a time such as 10s is needed",
    .help = "Stop a statement that takes longer (default: no limit)" },
  { .name = "max-memory",
    .kind = CLI_PARSED,
    .argument = "SIZE",
    .offset = offsetof (struct query_values, memory),
    .parse = parse_memory,
    .help = "Memory of SQLite, without that of the decoder (default 1G)" },
  { .name = NULL },
};

const struct cli_command command_query = {
  .name = "query",
  .group = CLI_INSPECT,
  .summary = "ask questions of logs in SQL",
  .parameters = "LOG... [SQL]",
  .description
  = "Runs SELECT statements of SQLite over logs of Mono and GHC.  Nothing is imported: a statement "
    "reads the logs.  Each kind of event is a table: alloc, method_enter, run_thread, ...  The "
    "table events has the events of all kinds, calls the calls of recorded methods with their "
    "times, blocks the buffers, damage the parts that cannot be read.  Each table of a report is "
    "one, such as allocations_types for allocations.types; figures has the single figures.  Each "
    "table has a column log, the name of the log.\n\n"
    "time_ns is on the log's clock, elapsed_ns counts from the first buffer of a Mono log, or the "
    "start of an eventlog's program, as --time-range does.  Conditions on these, on thread, cap, "
    "kind, log and method decide which parts of a log "
    "are read.  Addresses are numbers; NAME_name is the name of the thing there.  Lists, such as "
    "backtraces, are JSON.\n\n"
    "Without SQL, statements are read from standard input; on a terminal there is a prompt, and "
    ".help lists its commands.  Statements are separated by ';'.  They cannot change or write "
    "anything.",
  .examples = CLI_EXAMPLES (
      { "Count the events of each kind",
        "proflog query app.mlpd 'SELECT kind, count(*) FROM events GROUP BY 1'" },
      { "Print a table of the report",
        "proflog query app.mlpd 'SELECT * FROM allocations_types LIMIT 5'" },
      { "Write the threads of several logs as CSV",
        "proflog query --format csv app.mlpd server.eventlog 'SELECT * FROM threads'" },
      { "Run the statements of a file", "proflog query app.mlpd <questions.sql" },
      { "Write all tables as Parquet", "proflog query --parquet lake app.mlpd server.eventlog" }),
  .options = { { own, 0 },
               { log_format_option, 0 },
               { log_names_option, 0 },
               { log_index_option, 0 },
               { log_options, 0 } },
  .run = run,
};
