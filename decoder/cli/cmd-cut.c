/* cmd-cut.c -- proflog cut */
#include "decoder/analyses/ghc-cut.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/write-command.h"

static void
take_choice (void *data, struct ghc_choice *choice)
{
  ((struct ghc_cut *) data)->choice = choice;
}

static bool
change (void *data, const struct ghc_item *item, struct ghc_event *event)
{
  (void) event;
  return ghc_cut_takes (data, item);
}

static int
cut_log (struct log_command *command, struct ghc_cut *cut)
{
  const struct write_watch watch = { .choice = take_choice, .data = cut };
  struct ghc_rewrite rewrite;
  ghc_rewrite_init (&rewrite);
  rewrite.change = change;
  rewrite.data = cut;
  rewrite.drops_blocks = rewrite.completes = true;
  const int status = write_command_log (command, &rewrite, &watch);
  if (status == CLI_OK && cut->taken == 0)
    log_command_tell_nothing (command, command->logs[0], cut->events, "events");
  ghc_rewrite_clear (&rewrite);
  return status;
}

static bool
parse_lists (char **texts, struct ghc_cut *cut,
             bool (*parse) (struct ghc_cut *cut, const char *text, GError **error), GError **error)
{
  for (; texts != NULL && *texts != NULL; texts++)
    if (!parse (cut, *texts, error))
      return false;
  return true;
}

int
cmd_cut (int argc, char **argv)
{
  gboolean is_bare = FALSE;
  char **events = NULL, **no_events = NULL;
  const GOptionEntry own[]
      = { { "event", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &events,
            "Only these events: names or patterns as 'gc-*', or tags; may be repeated",
            "NAME|TAG,..." },
          { "no-event", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &no_events,
            "None of these events; may be repeated", "NAME|TAG,..." },
          { "bare", 0, 0, G_OPTION_ARG_NONE, &is_bare,
            "Nothing but what is chosen, no announcements", NULL },
          G_OPTION_ENTRY_NULL };
  const struct log_command_sort sort = {
    .name = "cut",
    .parameters = "LOG",
    .summary = "make an eventlog of a part of one",
    .description
    = "What is chosen is what 'proflog dump' shows of the log with the same options; --event and\n"
      "--no-event take names of events as it prints them.  Announcements stay, whatever is "
      "chosen:\n"
      "capabilities and their sets, program, clock, heap, tasks, labels of threads, cost centres,\n"
      "info tables, counters.  Header, times, and events that are not known stay as they are.\n"
      "Figures that count from the start of the program, as heap-allocated does, do so in a "
      "part.\n\n"
      "Examples:\n"
      "  proflog cut --time-range 2s~3s app.eventlog -o third-second.eventlog\n"
      "  proflog cut --no-event 'spark-*',perf-counter app.eventlog -o smaller.eventlog\n"
      "  proflog cut --cap 0 --event 'gc-*' app.eventlog | proflog show -",
    .own = own,
    .selects = SELECTS_PARTS | SELECTS_CAPS | SELECTS_NAMES | SELECTS_BYTES,
    .is_log = true,
  };
  struct log_command command;
  struct ghc_cut cut = { .choice = NULL };
  GError *error = NULL;
  int status;
  if (write_command_begin (&command, &sort, argc, argv, &status)) {
    cut.is_bare = is_bare;
    if (parse_lists (events, &cut, ghc_cut_events, &error)
        && parse_lists (no_events, &cut, ghc_cut_no_events, &error)) {
      status = cut_log (&command, &cut);
      status = log_command_finish (&command, status);
    } else {
      write_command_give_up (&command);
      status = log_command_refuse (&command, error);
    }
  }
  ghc_cut_clear (&cut);
  g_strfreev (events);
  g_strfreev (no_events);
  return status;
}
