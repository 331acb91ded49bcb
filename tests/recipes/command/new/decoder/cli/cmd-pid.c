/* cmd-pid.c -- proflog pid */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-summary.h"

static int
print_pid (void *data, const char *path)
{
  struct log_command *c = data;
  const struct scan_options options = { .traces = false };
  struct summary summary;
  summary_init (&summary, &options);
  int status = log_command_summarize (c, path, &summary, NULL);
  summary_finish (&summary);
  g_autoptr (GString) line = g_string_new (NULL);
  g_string_printf (line, "%u\n", (unsigned) summary.log.header.pid);
  if (summary.log.has_header && !output_write (&c->output, line))
    status = CLI_INPUT;
  summary_clear (&summary);
  return status;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  static const struct log_action actions[]
      = { [LOG_MONO] = { .run = print_pid },
          [LOG_GHC] = { .lack = "the pid of a GHC program is in 'proflog info'" } };
  struct log_command command = { .name = NULL };
  int status, worst = CLI_OK;
  if (!log_command_parse (&command, spec, argc, argv, &status)
      || !log_command_open (&command, &status))
    return status;
  for (char **path = command.logs; *path != NULL; path++) {
    status = log_kind_run (&command, *path, false, actions, &command);
    worst = MAX (worst, status);
  }
  return log_command_finish (&command, worst);
}

const struct cli_command command_pid = {
  .name = "pid",
  .group = CLI_INSPECT,
  .summary = "print the process id of a log",
  .parameters = "LOG...",
  .description = "It is the id that the program had when the log began.",
  .examples = CLI_EXAMPLES ({ "Print the process id of a log", "proflog pid app.mlpd" }),
  .options = { { log_options, 0 } },
  .run = run,
};
