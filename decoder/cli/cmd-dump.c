/* cmd-dump.c -- proflog dump */
#include "config.h"
#include "decoder/cli/cli.h"
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

static bool
chooses (const struct selection *s)
{
  return s->threads != NULL || s->caps != NULL || selection_has_times (s) || selection_has_names (s)
         || s->min_bytes != 0;
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
  if (status == CLI_OK && dump.taken == 0 && chooses (&command->selection))
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
  if (status == CLI_OK && dump.taken == 0 && chooses (&command->selection))
    log_command_tell_nothing (command, path, dump.events, "events");
  return status;
}

int
cmd_dump (int argc, char **argv)
{
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
      "--min-bytes leaves events that tell of a size; --depth leaves out deeper calls.\n\n"
      "Examples:\n"
      "  proflog dump app.mlpd | grep exception-throw\n"
      "  proflog dump --format json app.mlpd | jq 'select (.kind == \"gc-event\")'",
    /* How long a call takes is told when it is left. */
    .selects = (SELECTS_ALL & ~SELECTS_TIMES) | SELECTS_CAPS,
    .is_lines = true,
  };
  struct log_command command;
  int status;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  if (!log_command_open (&command, &status))
    return status;
  status = CLI_OK;
  enum log_format before = LOG_FORMAT_NONE;
  for (char **path = command.logs; *path != NULL; path++) {
    /* CSV of another format has other columns. */
    const enum log_format format = log_command_look (&command, *path);
    int this_status = CLI_INPUT;
    if (format == LOG_FORMAT_MONO && command.selection.caps != NULL)
      this_status = log_command_refuse_mono (&command, *path,
                                             "it has no capabilities that --cap could choose from");
    else if (format == LOG_FORMAT_MONO)
      this_status = dump_mono (&command, *path, format != before);
    else if (format == LOG_FORMAT_GHC && command.selection.depth != 0)
      this_status = log_command_refuse_eventlog (&command, *path,
                                                 "it has no calls that --depth could choose from");
    else if (format == LOG_FORMAT_GHC)
      this_status = dump_ghc (&command, *path, format != before);
    before = format != LOG_FORMAT_NONE ? format : before;
    status = MAX (status, this_status);
  }
  return log_command_finish (&command, status);
}
