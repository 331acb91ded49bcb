/* cmd-info.c -- proflog info */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/summary-command.h"
#include "decoder/views/info.h"

static void
write_info (struct emitter *emitter, const char *name, const struct summary *summary,
            const void *data)
{
  (void) data;
  info_write (emitter, name, summary);
}

int
cmd_info (int argc, char **argv)
{
  struct log_command command;
  int status;
  if (!log_command_parse (&command, "info", "tell what a log holds", "  proflog info app.mlpd\n",
                          NULL, argc, argv, &status))
    return status;
  return summary_command_run (&command, write_info, NULL);
}
