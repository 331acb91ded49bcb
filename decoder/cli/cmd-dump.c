/* cmd-dump.c -- proflog dump */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/dump-by-clock.h"
#include "decoder/cli/log-command.h"
#include "decoder/views/dump.h"
#include "decoder/views/ghc-dump.h"

static void
dump_one (void *data, const struct mlpd_item *item, GString *text)
{
  dump_item (data, item, text);
}

static void
dump_other_damage (void *data, bool truncated, const char *message, GString *text)
{
  dump_damage (data, truncated, message, text);
}

static int
dump_mono (struct log_command *command, const char *path, bool head)
{
  static const struct log_handler handler = { dump_one, dump_other_damage };
  struct dump dump;
  dump_init (&dump, command->format, &command->selection);
  dump.lines.head = head;
  if (command->logs[1] != NULL)
    dump.lines.log_name = path;
  if (command->selection.threads != NULL || selection_has_times (&command->selection))
    dump.choice = &command->choice;
  const int status = log_command_read (command, path, &handler, &dump);
  if (status == CLI_OK && dump.taken == 0 && selection_chooses_events (&command->selection))
    log_command_tell_nothing (command, path, dump.events, "events");
  dump_clear (&dump);
  return status;
}

static void
take_choice (void *data, struct ghc_choice *choice)
{
  ((struct ghc_dump *) data)->choice = choice;
}

static void
dump_ghc_item (void *data, const struct ghc_item *item, GString *text)
{
  ghc_dump_item (data, item, text);
}

static void
dump_ghc_damage (void *data, bool truncated, const char *message, GString *text)
{
  ghc_dump_damage (data, truncated, message, text);
}

static int
dump_ghc (struct log_command *command, const char *path, bool head)
{
  static const struct ghc_handler handler
      = { .choice = take_choice, .item = dump_ghc_item, .damage = dump_ghc_damage };
  struct ghc_dump dump = { .lines = { .format = command->format,
                                      .log_name = command->logs[1] != NULL ? path : NULL,
                                      .head = head } };
  const int status = log_command_read_eventlog (command, path, &handler, &dump);
  if (status == CLI_OK && dump.taken == 0 && selection_chooses_events (&command->selection))
    log_command_tell_nothing (command, path, dump.events, "events");
  return status;
}

/* Each log in the order of its file, one behind the other. */
static int
dump_files (struct log_command *command)
{
  int status = CLI_OK;
  enum log_format before = LOG_FORMAT_NONE;
  for (char **path = command->logs; *path != NULL; path++) {
    const enum log_format format = log_command_look (command, *path);
    /* CSV of another format has other columns. */
    const bool head = format != before;
    int this_status = CLI_INPUT;
    if (format != LOG_FORMAT_NONE && log_command_can_choose (command, *path, format))
      this_status = format == LOG_FORMAT_GHC ? dump_ghc (command, *path, head)
                                             : dump_mono (command, *path, head);
    before = format != LOG_FORMAT_NONE ? format : before;
    status = MAX (status, this_status);
  }
  return status;
}

int
cmd_dump (int argc, char **argv)
{
  static char *order_name;
  static const GOptionEntry own[]
      = { { "order", 0, 0, G_OPTION_ARG_FILENAME, &order_name,
            "How events are ordered: file (default), or time: those of all logs by the time of day",
            "ORDER" },
          G_OPTION_ENTRY_NULL };
  static const struct log_command_sort sort = {
    .name = "dump",
    .summary = "print every event",
    .description
    = "A line is: byte offset, seconds since the first buffer, thread, kind, fields.\n"
      "With --format json each line is an object; time_ns is in it as in the log.\n"
      "With --format csv the fields are such an object in the last column.\n"
      "Of several logs JSON and CSV tell the log's name in each line, text before the first.\n"
      "An eventlog of GHC has capabilities instead of threads, - for none; --thread leaves events\n"
      "that name the thread, --cap those of the capability, and times count from the start of the\n"
      "program.\n"
      "Names are those that were announced before the line.\n"
      "--filter and --exclude look at the names in an event, not at its backtrace.\n"
      "--min-bytes leaves events that tell of a size; --depth leaves out deeper calls.\n"
      "With --order time the events of all logs, of Mono and of GHC, are one stream: each line "
      "begins\n"
      "with the time of day (UTC) and the log's name.  Each log has to tell when it began.\n\n"
      "Examples:\n"
      "  proflog dump app.mlpd | grep exception-throw\n"
      "  proflog dump --format json app.mlpd | jq 'select (.kind == \"gc-event\")'\n"
      "  proflog dump --order time client.mlpd server.eventlog",
    .own = own,
    /* How long a call takes is told when it is left. */
    .selects = (SELECTS_ALL & ~SELECTS_TIMES) | SELECTS_CAPS,
    .is_lines = true,
  };
  struct log_command command;
  int status;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  enum log_order order = LOG_ORDER_FILE;
  if (!log_command_order (&command, &order_name, &order, &status)
      || !log_command_open (&command, &status))
    return status;
  status = order == LOG_ORDER_TIME ? dump_by_clock (&command) : dump_files (&command);
  return log_command_finish (&command, status);
}
