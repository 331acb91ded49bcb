/* cmd-dump.c -- proflog dump */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/views/dump.h"

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

static bool
chooses (const struct selection *s)
{
  return s->threads != NULL || selection_has_times (s) || selection_has_names (s)
         || s->min_bytes != 0;
}

int
cmd_dump (int argc, char **argv)
{
  static const struct log_handler handler = { dump_one, dump_other_damage };
  static const struct log_command_sort sort = {
    .name = "dump",
    .summary = "print every event",
    .description
    = "A line is: byte offset, seconds since the first buffer, thread, kind, fields.\n"
      "With --format json each line is an object; time_ns is in it as in the log.\n"
      "With --format csv the fields are such an object in the last column.\n"
      "Of several logs JSON and CSV tell the log's name in each line, text before the first.\n"
      "Names are those that were announced before the line.\n"
      "--filter and --exclude look at the names in an event, not at its backtrace.\n"
      "--min-bytes leaves events that tell of a size; --depth leaves out deeper calls.\n\n"
      "Examples:\n"
      "  proflog dump app.mlpd | grep exception-throw\n"
      "  proflog dump --format json app.mlpd | jq 'select (.kind == \"gc-event\")'",
    .selects = SELECTS_ALL & ~SELECTS_TIMES, /* how long a call takes is told when it is left */
    .is_lines = true,
  };
  struct log_command command;
  int status;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  if (!log_command_open (&command, &status))
    return status;
  status = CLI_OK;
  for (char **path = command.logs; *path != NULL; path++) {
    struct dump dump;
    dump_init (&dump, command.format, &command.selection);
    dump.head &= path == command.logs;
    if (command.logs[1] != NULL)
      dump.log_name = *path;
    if (command.selection.threads != NULL || selection_has_times (&command.selection))
      dump.choice = &command.choice;
    int this_status = log_command_read (&command, *path, &handler, &dump);
    status = MAX (status, this_status);
    if (this_status == CLI_OK && dump.taken == 0 && chooses (&command.selection))
      log_command_tell_nothing (&command, *path, dump.events, "events");
    dump_clear (&dump);
  }
  return log_command_finish (&command, status);
}
