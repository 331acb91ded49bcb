/* cmd-show.c -- proflog show */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/views/emitter.h"
#include "decoder/views/ghc-show.h"

struct show {
  const char *log_name;            /* of one among several; NULL: the only one */
  const struct ghc_choice *choice; /* borrowed */
  bool chooses;
  bool begun; /* in order of the file: there was a header */
  uint64_t events;
  gint taken; /* whether any line came; set by any thread */
};

static void
take_order_choice (void *data, const struct ghc_choice *choice)
{
  ((struct show *) data)->choice = choice;
}

/* As 'proflog dump' does. */
static void
put_name (const char *name, GString *text)
{
  g_string_append (text, "log ");
  emitter_append_json_string (text, name, strlen (name));
  g_string_append_c (text, '\n');
}

static void
begin_log (void *data, const struct ghc_header *header, GString *text)
{
  struct show *show = data;
  if (show->log_name != NULL)
    put_name (show->log_name, text);
  ghc_show_begin (header, text);
}

static void
show_item (void *data, const struct ghc_item *item, GString *text)
{
  struct show *show = data;
  if (show->chooses && !ghc_choice_has (show->choice, item))
    return;
  if (g_atomic_int_get (&show->taken) == 0)
    g_atomic_int_set (&show->taken, 1);
  ghc_show_event (item, text);
}

static void
end_log (void *data, uint64_t events, GString *text)
{
  struct show *show = data;
  show->events += events;
  ghc_show_end (text);
}

/* ---- in order of the file ---- */

static void
take_choice (void *data, struct ghc_choice *choice)
{
  take_order_choice (data, choice);
}

static void
show_in_turn (void *data, const struct ghc_item *item, GString *text)
{
  struct show *show = data;
  if (item->type == GHC_ITEM_HEADER) {
    if (show->begun)
      ghc_show_end (text);
    show->begun = true;
    begin_log (show, item->header, text);
  } else if (item->type == GHC_ITEM_EVENT && show->begun) {
    show->events++;
    show_item (show, item, text);
  }
}

/* It was told on standard error. */
static void
pass_damage (void *data, bool truncated, const char *message, GString *text)
{
  (void) data;
  (void) truncated;
  (void) message;
  (void) text;
}

static int
show_file_order (struct log_command *command, const char *path, struct show *show)
{
  static const struct ghc_handler handler
      = { .choice = take_choice, .item = show_in_turn, .damage = pass_damage };
  int status = log_command_read_eventlog (command, path, &handler, show);
  GString *text = g_string_new (NULL);
  if (show->begun && status == CLI_OK) {
    ghc_show_end (text);
    status = output_write (&command->output, text) ? CLI_OK : CLI_INPUT;
  }
  g_string_free (text, TRUE);
  return status;
}

static int
show_log (struct log_command *command, const char *path, enum log_order order)
{
  static const struct ghc_order_handler handler
      = { .choice = take_order_choice, .begin = begin_log, .item = show_item, .end = end_log };
  const struct selection *s = &command->selection;
  struct show show = { .log_name = command->logs[1] != NULL ? path : NULL,
                       .chooses = selection_chooses_events (s) };
  const int status = order == LOG_ORDER_FILE
                         ? show_file_order (command, path, &show)
                         : log_command_order_eventlog (command, path, &handler, &show);
  if (status == CLI_OK && show.chooses && show.taken == 0)
    log_command_tell_nothing (command, path, show.events, "events");
  return status;
}

int
cmd_show (int argc, char **argv)
{
  static char *order_name;
  static const GOptionEntry own[]
      = { { "order", 0, 0, G_OPTION_ARG_FILENAME, &order_name,
            "How events are ordered: time (default), or file, as they stand there", "ORDER" },
          G_OPTION_ENTRY_NULL };
  static const struct log_command_sort sort = {
    .name = "show",
    .summary = "print the events of an eventlog in order of time",
    .description
    = "Prints what 'ghc-events show' prints: the types of events that the log declares, and a "
      "line\n"
      "for each event, with nanoseconds since the program began and the capability in whose block\n"
      "it is.  Events of one time keep the order of the file.  A log from a pipe is copied to a\n"
      "temporary file for that; with --order file it is not.\n"
      "--thread leaves events that name the thread, --filter and --exclude look at the texts in "
      "an\n"
      "event, --min-bytes leaves events that tell of a size.\n"
      "'proflog dump' has all fields, offsets and other formats, and reads logs of Mono, too.\n\n"
      "Examples:\n"
      "  proflog show app.eventlog\n"
      "  proflog show --cap 0,none --time-range 1~1.5 app.eventlog\n"
      "  proflog show --filter 'frame [0-9]+' app.eventlog",
    .own = own,
    .selects = SELECTS_PARTS | SELECTS_NAMES | SELECTS_BYTES | SELECTS_CAPS,
    .is_text = true,
  };
  struct log_command command;
  int status;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  enum log_order order = LOG_ORDER_TIME;
  if (!log_command_order (&command, &order_name, &order, &status)
      || !log_command_open (&command, &status))
    return status;
  status = CLI_OK;
  for (char **path = command.logs; *path != NULL; path++) {
    const int this_status = show_log (&command, *path, order);
    status = MAX (status, this_status);
  }
  return log_command_finish (&command, status);
}
