/* cmd-validate.c -- proflog validate */
#include "config.h"

#include "decoder/ghc/ghc-records.h"
#include "decoder/cli/log-open.h"
#include "decoder/cli/log-read-ordered.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/core/suggest.h"
#include "decoder/views/ghc/validate.h"
#include <string.h>

struct validation {
  struct validate validate;
  struct ghc_header header; /* of the events that come; its types are not there */
  bool has_header;
};

static void
store_filter (void *data, const struct ghc_filter *filter)
{
  (void) data;
  (void) filter;
}

static void
begin_log (void *data, const struct ghc_header *header, GString *text)
{
  struct validation *run = data;
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
  if (ghc_records_can_hold (item->kind))
    ghc_records_put (text, item);
}

static bool
handle_item (void *data, const struct ghc_item *item)
{
  struct validation *run = data;
  return validate_item (&run->validate, item);
}

static bool
handle_items (void *data, const GString *text)
{
  struct validation *run = data;
  return ghc_records_each (text, &run->header, handle_item, run);
}

static void
end_log (void *data, uint64_t events, GString *text)
{
  (void) data;
  (void) events;
  (void) text;
}

static int
validate_log (struct log_command *command, const char *path, unsigned selected, bool reminders,
              const struct view *view, struct emitter *emitter, GString *text)
{
  static const struct ghc_order_handler handler = { .filter = store_filter,
                                                    .begin = begin_log,
                                                    .item = put_item,
                                                    .end = end_log,
                                                    .write = handle_items,
                                                    .all_times = true };
  struct validation run = { .has_header = false };
  validate_init (&run.validate, selected, reminders);
  int status = log_command_order_eventlog (command, path, &handler, &run);
  if (run.has_header) {
    if (command->logs[1] != NULL)
      emitter_set_log (emitter, path);
    validate_write (emitter, path, &run.validate, view);
    if (status == CLI_OK && !validate_is_valid (&run.validate))
      status = CLI_TRUE;
    if (!output_write (&command->output, text))
      status = CLI_INPUT;
    log_command_separate (command, text);
  }
  validate_clear (&run.validate);
  return status;
}

static int
validate_logs (struct log_command *command, unsigned selected, bool reminders,
               const struct view *view)
{
  int status = CLI_OK;
  GString *text = g_string_new (NULL);
  struct emitter *emitter = log_command_new_emitter (command, text);
  for (char **path = command->logs; *path != NULL; path++) {
    const enum log_format format = log_command_detect_format (command, *path);
    int this_status = CLI_INPUT;
    if (format == LOG_FORMAT_MONO)
      this_status = log_command_refuse_mono (command, *path, "only eventlogs can be validated");
    else if (format == LOG_FORMAT_GHC)
      this_status = validate_log (command, *path, selected, reminders, view, emitter, text);
    status = MAX (status, this_status);
  }
  g_string_truncate (text, 0);
  emitter_free (emitter);
  if (!output_write (&command->output, text))
    status = MAX (status, CLI_INPUT);
  g_string_free (text, TRUE);
  return status;
}

/* ---- the command line ---- */

struct validate_values {
  struct log_command log;
  bool allows_duplicates, verbose;
};

static void
list_machines (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    g_ptr_array_add (names, (gpointer) ghc_validation_name (i));
  g_ptr_array_add (names, (gpointer) "all");
}

/* The machines of a list such as "threads,tasks"; 0 and an error if there are others in it. */
static unsigned
parse_machines (const char *list, GError **error)
{
  unsigned selected = 0;
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  list_machines (NULL, known);
  g_autofree char *all = cli_join (known);
  if (names[0] == NULL)
    cli_refuse (error, "a machine is needed: %s", all);
  for (char **name = names; *name != NULL; name++) {
    unsigned meant = 0;
    for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
      if (strcmp (*name, "all") == 0 || strcmp (*name, ghc_validation_name (i)) == 0)
        meant |= 1u << i;
    if (meant == 0) {
      g_autofree char *near = suggest_text ("", *name, known);
      cli_refuse (error, "there is no machine '%s'; there are %s%s", *name, all, near);
      return 0;
    }
    selected |= meant;
  }
  return selected;
}

/* A list of machines has neither blanks, dots nor slashes, and is no file. */
static bool
is_log (const char *word)
{
  return strcmp (word, "-") == 0 || strpbrk (word, "./ ") != NULL
         || g_file_test (word, G_FILE_TEST_EXISTS);
}

/* The first word is the machines, the others are logs.  Without machines it is all of them. */
static unsigned
parse_machines_word (struct log_command *command, GError **error)
{
  const char *first = command->logs[0];
  if (first != NULL && is_log (first) && parse_machines (first, NULL) == 0)
    return parse_machines ("all", error);
  const unsigned selected = parse_machines (command->logs[0], error);
  if (selected != 0 && command->logs[1] == NULL)
    cli_refuse (error, "a log is needed");
  for (char **log = command->logs; *log != NULL; log++)
    log[0] = log[1];
  return selected;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct validate_values v = { .verbose = false };
  GError *error = NULL;
  int status;
  if (!log_command_parse (&v.log, spec, argc, argv, &status))
    return status;
  const unsigned selected = parse_machines_word (&v.log, &error);
  if (error != NULL)
    return log_command_refuse (&v.log, error);
  if (!log_command_open (&v.log, &status))
    return status;
  const struct view view = { .verbose = v.verbose };
  status = validate_logs (&v.log, selected, v.allows_duplicates, &view);
  return log_command_finish (&v.log, status);
}

static const struct cli_option own[] = {
  { .name = "allow-duplicates",
    .kind = CLI_FLAG,
    .offset = offsetof (struct validate_values, allows_duplicates),
    .help = "Accept creation events for threads and tasks that already exist" },
  { .name = "reminders", .kind = CLI_ALIAS, .help = "allow-duplicates" },
  { .name = "verbose",
    .letter = 'v',
    .kind = CLI_FLAG,
    .offset = offsetof (struct validate_values, verbose),
    .help = "List the threads and tasks that are left at the end, too" },
  { .name = NULL },
};

const struct cli_command command_validate = {
  .name = "validate",
  .group = CLI_INSPECT,
  .summary = "check the order of events in a GHC eventlog",
  .parameters = "[MACHINE,...] LOG...",
  .description
  = "Follows the events in order of time, as 'ghc-events validate' does, and prints the first "
    "event "
    "that its state machine does not accept.  MACHINE is a list of (default: all):\n"
    "  threads     each thread is created, queued, run, stopped and finished in turn\n"
    "  threadpool  a thread is created once and belongs to one capability\n"
    "  threadrun   a capability runs one thread, and a thread runs on one capability\n"
    "  taskpool    a task is created once and belongs to one capability\n"
    "  tasks       a task is the same thread of the system all the time\n"
    "  sparks      threads that run sparks run one after the other\n"
    "  all         all of these\n\n"
    "The exit status is 1 if an event is not accepted (with --strict 4 if there is damage).",
  .examples = "  proflog validate app.eventlog\n"
              "  proflog validate threads,tasks app.eventlog\n"
              "  proflog validate all --allow-duplicates --format json app.eventlog",
  .options = { { own, 0 }, { log_format_option, 0 }, { log_options, 0 } },
  .words = list_machines,
  .run = run,
};
