/* cmd-dump.c -- proflog dump */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-reads.h"
#include "decoder/show/show.h"
#include "decoder/views/mlpd/dump-filter.h"
#include "decoder/views/ghc/ghc-dump.h"

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
dump_passes (const void *data, const struct indexed_buffer *buffer)
{
  return dump_passes_buffer (data, buffer);
}

static void
dump_passed (void *data, const struct indexed_buffer *buffer)
{
  ((struct dump *) data)->events += buffer->events;
}

struct dump_values {
  struct log_command log;
  enum log_order order;
  const struct log_kind *head; /* whose columns were written last; NULL: none */
};

/* CSV of another format has other columns. */
static void
begin_lines (struct dump_lines *lines, const struct log_command *command, const char *path,
             const struct log_kind *kind, const struct log_kind *head)
{
  lines->head = head != kind;
  lines->apart = head != NULL;
  lines->log_name = command->logs[1] != NULL ? path : NULL;
}

static int
dump_mono (void *data, const char *path)
{
  struct dump_values *v = data;
  struct log_command *command = &v->log;
  static const struct log_handler handler = {
    .item = dump_one, .damage = dump_other_damage, .passes = dump_passes, .passed = dump_passed
  };
  struct dump dump;
  dump_init (&dump, command->format, &command->selection);
  begin_lines (&dump.lines, command, path, &log_kind_mono, v->head);
  if (command->selection.threads != NULL || selection_has_times (&command->selection))
    dump.filter = &command->filter;
  const int status = log_command_read (command, path, &handler, &dump);
  if (status == CLI_OK && dump.taken == 0 && selection_chooses_events (&command->selection))
    log_command_warn_empty_selection (command, path, dump.events, "events");
  if (!dump.lines.head)
    v->head = &log_kind_mono;
  dump_clear (&dump);
  return status;
}

static void
store_filter (void *data, struct ghc_filter *filter)
{
  ((struct ghc_dump *) data)->filter = filter;
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

/* Threads are known by earlier events about them. */
static bool
dump_passes_block (const void *data, const struct ghc_indexed_block *block)
{
  const struct ghc_filter *filter = ((const struct ghc_dump *) data)->filter;
  if (filter->selection->threads != NULL)
    return false;
  return block->latest < filter->from || (block->earliest >= filter->to && filter->to != UINT64_MAX)
         || !selection_has_cap (filter->selection, block->cap);
}

static void
dump_passed_events (void *data, uint64_t events)
{
  ((struct ghc_dump *) data)->events += events;
}

static int
dump_ghc (void *data, const char *path)
{
  struct dump_values *v = data;
  struct log_command *command = &v->log;
  static const struct ghc_handler handler = { .filter = store_filter,
                                              .item = dump_ghc_item,
                                              .damage = dump_ghc_damage,
                                              .passes = dump_passes_block,
                                              .passed = dump_passed_events };
  struct ghc_dump dump = { .lines = { .format = command->format } };
  begin_lines (&dump.lines, command, path, &log_kind_ghc, v->head);
  const int status = log_command_read_eventlog (command, path, &handler, &dump);
  if (status == CLI_OK && dump.taken == 0 && selection_chooses_events (&command->selection))
    log_command_warn_empty_selection (command, path, dump.events, "events");
  if (!dump.lines.head)
    v->head = &log_kind_ghc;
  return status;
}

/* Each log in the order of its file, one after the other. */
static int
dump_files (struct dump_values *v)
{
  static const struct log_action actions[]
      = { [LOG_MONO] = { .run = dump_mono }, [LOG_GHC] = { .run = dump_ghc } };
  int status = CLI_OK;
  for (char **path = v->log.logs; *path != NULL; path++) {
    const int this_status = log_kind_run (&v->log, *path, true, actions, v);
    status = MAX (status, this_status);
  }
  return status;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct dump_values v = { .order = LOG_ORDER_FILE };
  int status;
  GError *error = NULL;
  if (!log_command_parse (&v.log, spec, argc, argv, &status))
    return status;
  if (v.order == LOG_ORDER_FILE && log_axis_is_given (&v.log.axis)) {
    cli_refuse (&error, "--align and --offset are for --order time");
    return log_command_refuse (&v.log, error);
  }
  if (!log_command_open (&v.log, &status))
    return status;
  status = v.order == LOG_ORDER_TIME ? dump_by_clock (&v.log) : dump_files (&v);
  return log_command_finish (&v.log, status);
}

static const struct cli_option own[] = {
  { .name = "order",
    .kind = CLI_CHOICE,
    .argument = "ORDER",
    .offset = offsetof (struct dump_values, order),
    .choices = log_orders,
    .help = "Order of events: file (default), or time: the events of all logs by time of day; an "
            "event that is late in its buffer of a Mono log is printed late, too" },
  { .name = NULL },
};

const struct cli_command command_dump = {
  .name = "dump",
  .group = CLI_INSPECT,
  .summary = "print every event of a log",
  .parameters = "LOG...",
  .description
  = "A line has the byte offset, the seconds since the first buffer, the thread, the kind and the "
    "fields.  Names are those that were announced before the line.  With --format json each line "
    "is an object, with time_ns as recorded.  With --format csv the last column has the fields as "
    "such an object.  Of several logs, each line of JSON and CSV has the name of its log; text has "
    "it before the first line.\n\n"
    "An eventlog of GHC has capabilities instead of threads, - for none, and times count from the "
    "start of the program.  There --thread selects events that name the thread, and --cap events "
    "of the capability.\n\n"
    "--filter and --exclude match the names in an event, not those in its backtrace.  --min-bytes "
    "selects events that have a size.  --depth excludes deeper calls.\n\n"
    "With --order time the events of all logs, of Mono and of GHC, are one stream.  Each line "
    "begins with the time of day (UTC) and the name of the log.  Each log must have recorded its "
    "time of day, unless --align start puts them together by their beginnings.",
  .examples = CLI_EXAMPLES (
      { "Print the events of one kind", "proflog dump app.mlpd | grep exception-throw" },
      { "Select events by their fields",
        "proflog dump --format json app.mlpd | jq 'select (.kind == \"gc-event\")'" },
      { "Print the events of several logs in order of the time of day",
        "proflog dump --order time client.mlpd server.eventlog" }),
  .options = { { own, 0 },
               { log_selection_options, 0 },
               { log_lines_format_option, 0 },
               { log_object_option, 0 },
               { log_axis_options, offsetof (struct dump_values, log.axis) },
               { log_index_option, 0 },
               { log_options, 0 } },
  /* The duration of a call is known only at its end. */
  .selects = (SELECTS_ALL & ~SELECTS_TIMES) | SELECTS_CAPS,
  .run = run,
};
