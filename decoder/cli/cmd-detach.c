/* cmd-detach.c -- proflog detach: stops recording; the program keeps running. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/system/control-programs.h"
#include "decoder/command/message.h"
#include "decoder/system/program-control.h"
#include <string.h>

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  int status;
  if (!cli_parse_or_report (spec, argc, argv, NULL, words, &status))
    return status;
  if (words->len != 1) {
    cli_message (
        "proflog detach: one process is needed, by its id or name; 'proflog ctl' lists those that "
        "are recorded");
    return CLI_USAGE;
  }
  const long pid = control_programs_find_process (words->pdata[0], &error);
  g_autofree char *log = pid != 0 ? detach_log (pid) : NULL;
  if (log != NULL && strcmp (log, DETACHED_OUTPUT) == 0 && detach_is_paused (pid)) {
    cli_message ("proflog detach: process %ld is not being recorded", pid);
    return CLI_OK;
  }
  if (pid != 0 && detach_process (pid, &error)) {
    if (log != NULL)
      cli_message ("proflog detach: the log is %s; read it with: proflog report %s", log, log);
    return CLI_OK;
  }
  cli_message ("proflog detach: %s", error->message);
  return CLI_INPUT;
}

const struct cli_command command_detach = {
  .name = "detach",
  .group = CLI_RECORD,
  .summary = "stop recording; the program keeps running",
  .parameters = "PROGRAM",
  .description = "PROGRAM is a process id, or a name such as app.exe.  The log is complete then.  "
                 "The module stays in the program and does nothing, until 'proflog attach PID' "
                 "lets it record again.",
  .examples
  = CLI_EXAMPLES ({ "End the recording that 'proflog attach' began", "proflog detach 4711" }),
  .run = run,
};
