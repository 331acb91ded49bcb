/* cmd-mcp.c -- proflog mcp: its options; the command is a program of its own (decoder/mcp). */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/command/helper-program.h"
#include "decoder/command/message.h"

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  int status, values;
  if (!cli_parse_or_report (spec, argc, argv, &values, words, &status))
    return status;
  if (words->len > 1) {
    cli_message ("proflog mcp: '%s': there is one folder at most; see 'proflog mcp --help'",
                 (char *) words->pdata[1]);
    return CLI_USAGE;
  }
#ifdef HAVE_SQLITE
  g_autoptr (GError) error = NULL;
  g_autofree char *self = g_file_read_link ("/proc/self/exe", &error); /* it runs this again */
  if (self == NULL) {
    cli_message ("proflog mcp: %s", error->message);
    return CLI_INPUT;
  }
  char *const folder = words->len != 0 ? words->pdata[0] : ".";
  return helper_program_run ("proflog-mcp", (char *[]){ argv[0], self, folder, NULL });
#else
  cli_message ("proflog mcp: proflog was built without SQLite");
  return CLI_INPUT;
#endif
}

const struct cli_command command_mcp = {
  .name = "mcp",
  .group = CLI_LIVE,
  .summary = "answer an agent's questions about logs, by the Model Context Protocol",
  .parameters = "[FOLDER]",
  .description
  = "Reads requests of the Model Context Protocol from standard input, JSON a line, and answers on "
    "standard output: an agent that starts it may list the logs of FOLDER (default: the current "
    "one) and ask for findings, reports, SQL over events and tables, leaks, stacks as folded text, "
    "and the differences of two logs.  It only reads, refuses logs that are not in FOLDER or below "
    "it, and answers with 100,000 bytes at most, within 60 s.\n\n"
    "The answers are those of report, query, heap leaks, export and diff, in JSON.",
  .examples = CLI_EXAMPLES ({ "Ask for the tools, as an agent does",
                              "echo '{\"id\":1,\"method\":\"tools/list\"}' | proflog mcp" }),
  .options = { { NULL, 0 } },
  .run = run,
};
