/* summary-command.c -- log -> summary -> emitter. */
#include "decoder/cli/summary-command.h"
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"

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

/* Reports what could be read of one log, also of one that could not be read to its end. */
static int
report_log_file (const struct summary_command *own, struct log_command *command, const char *path,
                 guint limit, bool first)
{
  static const struct log_handler handler = { take_item, take_damage };
  struct summary summary;
  summary_init (&summary);
  int status = log_command_read (command, path, &handler, &summary);
  guint told = summary.log.messages->len;
  summary_finish (&summary);
  for (guint i = told; i < summary.log.messages->len; i++)
    log_command_warn (command, path, g_ptr_array_index (summary.log.messages, i));
  if (summary.log.has_header) {
    GString *text = g_string_new (!first && command->format == EMITTER_TEXT ? "\n" : NULL);
    struct emitter *emitter = emitter_new (command->format, text);
    own->write (emitter, path, &summary, limit);
    emitter_free (emitter);
    if (!output_write (&command->output, text))
      status = CLI_INPUT;
    g_string_free (text, TRUE);
  }
  summary_clear (&summary);
  return status;
}

static gboolean
parse_limit (const char *option, const char *value, gpointer data, GError **error)
{
  struct log_command *command = data;
  guint64 limit;
  if (!g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT, &limit, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "%s %s: a number of rows is needed, 0 for all", option, value);
    return FALSE;
  }
  command->limit = (int) limit;
  return TRUE;
}

int
summary_command_run (const struct summary_command *own, int argc, char **argv)
{
  char *help
      = g_strdup_printf ("Rows of a table at most, 0 for all (text: %u, json: all)", own->rows);
  const GOptionEntry options[]
      = { { "limit", 'n', 0, G_OPTION_ARG_CALLBACK, (gpointer) parse_limit, help, "N" },
          G_OPTION_ENTRY_NULL };
  struct log_command command;
  int status;
  if (log_command_parse (&command, own->name, own->summary, own->description, options, argc, argv,
                         &status)) {
    guint limit = command.format == EMITTER_TEXT ? own->rows : 0;
    if (command.limit >= 0)
      limit = (guint) command.limit;
    status = CLI_OK;
    for (char **path = command.logs; *path != NULL; path++) {
      int this_status = report_log_file (own, &command, *path, limit, path == command.logs);
      status = MAX (status, this_status);
    }
    status = log_command_finish (&command, status);
  }
  g_free (help);
  return status;
}
