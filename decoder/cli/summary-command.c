/* summary-command.c -- log -> summary -> emitter. */
#include "decoder/cli/summary-command.h"
#include "config.h"
#include "decoder/cli/cli.h"

static void
take_item (void *data, const struct mlpd_item *item, GString *text)
{
  (void) text;
  summary_item (data, item);
}

static void
take_damage (void *data, bool truncated, const char *message, GString *text)
{
  (void) text;
  struct summary *summary = data;
  log_damage (&summary->log, truncated, message);
}

int
summary_command_run (struct log_command *command,
                     void (*write) (struct emitter *emitter, const char *name,
                                    const struct summary *summary, const void *data),
                     const void *data)
{
  static const struct log_handler handler = { take_item, take_damage };
  int status = CLI_OK;
  for (char **path = command->logs; *path != NULL; path++) {
    struct summary summary;
    summary_init (&summary);
    int this_status = log_command_read (command, *path, &handler, &summary);
    summary_finish (&summary);
    /* What could be read is shown, also of a log that could not be read to its end. */
    if (summary.log.has_header) {
      GString *text = g_string_new (NULL);
      struct emitter *emitter = emitter_new (command->format, text);
      write (emitter, *path, &summary, data);
      emitter_free (emitter);
      if (!log_command_write (command, text))
        this_status = CLI_INPUT;
      g_string_free (text, TRUE);
    }
    if (!summary.log.has_header)
      this_status = CLI_INPUT; /* cut before the end of its header */
    summary_clear (&summary);
    status = MAX (status, this_status);
  }
  return log_command_finish (command, status);
}
