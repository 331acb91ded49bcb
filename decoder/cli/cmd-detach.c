/* cmd-detach.c -- proflog detach: ends the recording of a program that runs on. */
#include "config.h"

#include "decoder/cli/cli.h"
#include "decoder/cli/command-line.h"
#include "decoder/cli/control-client.h"
#include "decoder/cli/detach.h"
#include "decoder/cli/message.h"

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  guint64 pid;
  int status;
  if (!cli_parse_or_report (spec, argc, argv, NULL, words, &status))
    return status;
  if (words->len != 1
      || !g_ascii_string_to_unsigned (words->pdata[0], 10, 1, G_MAXINT, &pid, NULL)) {
    cli_message (
        "proflog detach: the id of one process is needed; 'proflog ctl' lists those that are "
        "recorded");
    return CLI_USAGE;
  }
  if (detach_process ((long) pid, &error))
    return CLI_OK;
  cli_message ("proflog detach: %s", error->message);
  return CLI_INPUT;
}

const struct cli_command command_detach = {
  .name = "detach",
  .group = CLI_RECORD,
  .summary = "end the recording of a program that runs on",
  .parameters = "PID",
  .description
  = "The log is whole then.  The module stays in the program and does nothing, until 'proflog "
    "attach PID' lets it record again.",
  .examples = "  proflog detach 4711",
  .run = run,
};
