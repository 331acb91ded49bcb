/* cmd-check.c -- proflog check */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/views/check.h"

static void
check_one (void *data, const struct mlpd_item *item, GString *text)
{
  (void) text;
  log_check_item (data, item);
}

static void
check_other_damage (void *data, bool truncated, const char *message, GString *text)
{
  (void) text;
  log_check_damage (data, truncated, message);
}

static void
check_ghc_item (void *data, const struct ghc_item *item, GString *text)
{
  (void) text;
  ghc_log_check_item (data, item);
}

static void
check_ghc_damage (void *data, bool truncated, const char *message, GString *text)
{
  (void) text;
  ghc_log_check_damage (data, truncated, message);
}

/* Writes what was found of a log out; returns the exit status. */
static int
put_out (struct log_command *command, GString *text, int status, enum check_level level)
{
  const bool is_for_people = command->format == EMITTER_TEXT || command->format == EMITTER_MARKDOWN;
  if (status == CLI_OK && level != CHECK_NOTE)
    status = CLI_TRUE;
  if (!output_write (&command->output, text))
    status = CLI_INPUT;
  g_string_assign (text, is_for_people ? "\n" : "");
  return status;
}

static int
check_eventlog (struct log_command *command, const char *path, const struct view *view,
                struct emitter *emitter, GString *text)
{
  static const struct ghc_handler handler = { .item = check_ghc_item, .damage = check_ghc_damage };
  struct ghc_log_check check;
  ghc_log_check_init (&check, view->verbose);
  int status = log_command_read_eventlog (command, path, &handler, &check);
  ghc_log_check_finish (&check);
  if (check.log.headers != 0) {
    if (command->logs[1] != NULL)
      emitter_set_log (emitter, path);
    ghc_check_write (emitter, path, &check, view);
    status = put_out (command, text, status, ghc_log_check_level (&check));
  }
  ghc_log_check_clear (&check);
  return status;
}

static int
check_log (struct log_command *command, const char *path, const struct view *view,
           struct emitter *emitter, GString *text)
{
  static const struct log_handler handler = { check_one, check_other_damage };
  struct log_check check;
  const enum log_format format = log_command_look (command, path);
  if (format == LOG_FORMAT_NONE)
    return CLI_INPUT;
  if (format == LOG_FORMAT_GHC)
    return check_eventlog (command, path, view, emitter, text);
  log_check_init (&check, view->verbose);
  int status = log_command_read (command, path, &handler, &check);
  log_check_finish (&check);
  if (check.log.has_header) {
    if (command->logs[1] != NULL)
      emitter_set_log (emitter, path);
    check_write (emitter, path, &check, view);
    status = put_out (command, text, status, log_check_level (&check));
  }
  log_check_clear (&check);
  return status;
}

int
cmd_check (int argc, char **argv)
{
  gboolean verbose = FALSE;
  const GOptionEntry own[] = { { "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose,
                                 "All buffers or blocks, not only those with damage", NULL },
                               G_OPTION_ENTRY_NULL };
  const struct log_command_sort sort = {
    .name = "check",
    .summary = "tell what is wrong with a log",
    .description
    = "Errors are damage: bytes that are missing or make no sense.  Warnings are of events "
      "that\n"
      "do not fit together, so that figures may be wrong.  Notes are of what whole logs have,\n"
      "too: a program that ends within calls leaves them open.  Offsets are those of the log, "
      "not\n"
      "compressed.  What is found in many places is counted, with the first offset.\n\n"
      "Of eventlogs of GHC, 'proflog validate' follows what threads, tasks and sparks do.\n\n"
      "The exit status is 1 if there are errors or warnings (with --strict 4 if there is\n"
      "damage), 3 if it is no log.\n\n"
      "Examples:\n"
      "  proflog check app.mlpd\n"
      "  proflog check -q logs/*.mlpd >/dev/null || echo not all are good\n"
      "  proflog check --verbose --format csv app.mlpd",
    .own = own,
  };
  struct log_command command;
  int status;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  if (!log_command_open (&command, &status))
    return status;
  status = CLI_OK;
  command.tells_damage = true;
  const struct view view = { .verbose = verbose };
  GString *text = g_string_new (NULL);
  struct emitter *emitter = emitter_new (command.format, text);
  for (char **path = command.logs; *path != NULL; path++) {
    int this_status = check_log (&command, *path, &view, emitter, text);
    status = MAX (status, this_status);
  }
  g_string_truncate (text, 0);
  emitter_free (emitter);
  if (!output_write (&command.output, text))
    status = MAX (status, CLI_INPUT);
  g_string_free (text, TRUE);
  return log_command_finish (&command, status);
}
