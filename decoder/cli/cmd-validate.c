/* cmd-validate.c -- proflog validate */
#include "config.h"
#include "decoder/analyses/ghc-replay.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/views/validate.h"
#include <string.h>

struct run {
  struct validate validate;
  struct ghc_header header; /* of the events that come; its types are not there */
  bool has_header;
};

static void
take_choice (void *data, const struct ghc_choice *choice)
{
  (void) data;
  (void) choice;
}

static void
begin_log (void *data, const struct ghc_header *header, GString *text)
{
  struct run *run = data;
  (void) text;
  run->header = *header;
  run->header.types = NULL;
  run->header.n_types = 0;
  run->has_header = true;
}

static void
put_item (void *data, const struct ghc_item *item, GString *text)
{
  (void) data;
  if (ghc_replay_can (item->kind))
    ghc_replay_put (text, item);
}

static bool
take_item (void *data, const struct ghc_item *item)
{
  struct run *run = data;
  return validate_take (&run->validate, item);
}

static bool
take_items (void *data, const GString *text)
{
  struct run *run = data;
  return ghc_replay_take (text, &run->header, take_item, run);
}

static void
end_log (void *data, uint64_t events, GString *text)
{
  (void) data;
  (void) events;
  (void) text;
}

static int
validate_log (struct log_command *command, const char *path, unsigned asked, bool reminders,
              const struct view *view, struct emitter *emitter, GString *text)
{
  static const struct ghc_order_handler handler = { .choice = take_choice,
                                                    .begin = begin_log,
                                                    .item = put_item,
                                                    .end = end_log,
                                                    .take = take_items,
                                                    .all_times = true };
  struct run run = { .has_header = false };
  validate_init (&run.validate, asked, reminders);
  int status = log_command_order_eventlog (command, path, &handler, &run);
  if (run.has_header) {
    if (command->logs[1] != NULL)
      emitter_set_log (emitter, path);
    validate_write (emitter, path, &run.validate, view);
    if (status == CLI_OK && !validate_is_valid (&run.validate))
      status = CLI_TRUE;
    if (!output_write (&command->output, text))
      status = CLI_INPUT;
    const bool is_for_people
        = command->format == EMITTER_TEXT || command->format == EMITTER_MARKDOWN;
    g_string_assign (text, is_for_people ? "\n" : "");
  }
  validate_clear (&run.validate);
  return status;
}

static int
validate_logs (struct log_command *command, unsigned asked, bool reminders, const struct view *view)
{
  int status = CLI_OK;
  GString *text = g_string_new (NULL);
  struct emitter *emitter = emitter_new (command->format, text);
  for (char **path = command->logs; *path != NULL; path++) {
    const enum log_format format = log_command_look (command, *path);
    int this_status = CLI_INPUT;
    if (format == LOG_FORMAT_MONO)
      this_status = log_command_refuse_mono (command, *path, "only eventlogs can be validated");
    else if (format == LOG_FORMAT_GHC)
      this_status = validate_log (command, *path, asked, reminders, view, emitter, text);
    status = MAX (status, this_status);
  }
  g_string_truncate (text, 0);
  emitter_free (emitter);
  if (!output_write (&command->output, text))
    status = MAX (status, CLI_INPUT);
  g_string_free (text, TRUE);
  return status;
}

/* The machines of a list such as "threads,tasks"; 0 and an error if there are others in it. */
static unsigned
parse_machines (const char *list, GError **error)
{
  unsigned asked = 0;
  char **names = g_strsplit (list, ",", -1);
  GString *all = g_string_new (NULL);
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    g_string_append_printf (all, "%s, ", ghc_validation_name (i));
  for (char **name = names; *name != NULL && *error == NULL; name++) {
    unsigned meant = 0;
    for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
      if (strcmp (*name, "all") == 0 || strcmp (*name, ghc_validation_name (i)) == 0)
        meant |= 1u << i;
    if (meant == 0)
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "there is no machine '%s'; there are %sand all", *name, all->str);
    asked |= meant;
  }
  if (names[0] == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "a machine is needed: %sor all",
                 all->str);
  g_string_free (all, TRUE);
  g_strfreev (names);
  return asked;
}

int
cmd_validate (int argc, char **argv)
{
  gboolean reminders = FALSE, verbose = FALSE;
  const GOptionEntry own[]
      = { { "reminders", 0, 0, G_OPTION_ARG_NONE, &reminders,
            "Pass over threads and tasks that are made though they are there", NULL },
          { "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose,
            "Tell which threads and tasks are left, too", NULL },
          G_OPTION_ENTRY_NULL };
  const struct log_command_sort sort = {
    .name = "validate",
    .summary = "tell whether the events of an eventlog fit together",
    .description
    = "Goes through the events in order of time, as 'ghc-events validate' does, and tells the "
      "first\n"
      "one that must not come.  MACHINE is a list of:\n"
      "  threads     each thread is made, queued, run, stopped, finished in turn\n"
      "  threadpool  a thread is made once and belongs to one capability\n"
      "  threadrun   a capability runs one thread, a thread runs on one capability\n"
      "  taskpool    a task is made once and belongs to one capability\n"
      "  tasks       and is one thread of the system all the time\n"
      "  sparks      threads that run sparks run one after the other\n"
      "  all         all of these\n"
      "The exit status is 1 if some event is refused (with --strict 4 if there is damage).\n\n"
      "Examples:\n"
      "  proflog validate threads app.eventlog\n"
      "  proflog validate all --reminders --format json app.eventlog",
    .own = own,
    .parameters = "MACHINE,... LOG...",
  };
  struct log_command command;
  int status;
  GError *error = NULL;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  const unsigned asked = parse_machines (command.logs[0], &error);
  if (error == NULL && command.logs[1] == NULL)
    g_set_error (&error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "a log is needed");
  if (error != NULL)
    return log_command_refuse (&command, error);
  g_free (command.logs[0]);
  memmove (command.logs, command.logs + 1,
           g_strv_length (command.logs + 1) * sizeof (char *) + sizeof (char *));
  if (!log_command_open (&command, &status))
    return status;
  const struct view view = { .verbose = verbose };
  status = validate_logs (&command, asked, reminders, &view);
  return log_command_finish (&command, status);
}
