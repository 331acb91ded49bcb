/* cmd-cut.c -- proflog cut */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/ghc/edit/ghc-cut.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/command/cli.h"
#include "decoder/edit/write-command.h"
#include "decoder/mlpd/edit/mlpd-cut.h"

static void
store_filter (void *data, struct ghc_filter *filter)
{
  ((struct ghc_cut *) data)->filter = filter;
}

static bool
change (void *data, const struct ghc_item *item, struct ghc_event *event)
{
  (void) event;
  return ghc_cut_includes (data, item);
}

struct cut_values {
  struct log_command log;
  struct ghc_cut cut;
};

static int
cut_eventlog (void *data, const char *path)
{
  struct cut_values *v = data;
  struct ghc_cut *cut = &v->cut;
  const struct write_watch watch = { .filter = store_filter, .data = cut };
  struct ghc_rewrite rewrite;
  ghc_rewrite_init (&rewrite);
  rewrite.change = change;
  rewrite.data = cut;
  rewrite.drops_blocks = rewrite.completes = true;
  const int status = write_command_log (&v->log, &rewrite, &watch);
  if (status == CLI_OK && cut->taken == 0)
    log_command_warn_empty_selection (&v->log, path, cut->events, "events");
  ghc_rewrite_clear (&rewrite);
  return status;
}

/* ---- a log of Mono ---- */

static bool
cut_item (void *cut, const struct mlpd_item *item, GError **error)
{
  return mlpd_cut_item (cut, item, error);
}

static void
cut_end (void *cut)
{
  mlpd_cut_end (cut);
}

/* Writes the selected part of the Mono log that was opened.  Returns the exit status; nothing is
 * written to a file then unless it is CLI_OK. */
static int
cut_mono (struct log_command *command)
{
  struct mlpd_cut cut;
  mlpd_cut_init (&cut, &command->filter);
  const struct write_mono write
      = { .writer = cut.part.writer, .item = cut_item, .end = cut_end, .data = &cut };
  const int status = write_command_mono_log (command, &write);
  if (status == CLI_OK && cut.taken == 0)
    log_command_warn_empty_selection (command, command->logs[0], cut.events, "events");
  mlpd_cut_clear (&cut);
  return status;
}

static bool
parse_event (void *cut, const char *text, GError **error)
{
  return ghc_cut_events (cut, text, error);
}

static bool
parse_no_event (void *cut, const char *text, GError **error)
{
  return ghc_cut_no_events (cut, text, error);
}

/* The other options select events of eventlogs only. */
static int
cut_mono_log (void *data, const char *path)
{
  struct cut_values *v = data;
  const struct selection *s = &v->log.selection;
  const bool is_of_eventlogs = v->cut.wanted != NULL || v->cut.unwanted != NULL || v->cut.is_bare
                               || selection_has_names (s) || s->min_bytes != 0;
  return is_of_eventlogs ? log_kind_mono.refuse (&v->log, path,
                                                 "it can be cut by --thread and --time-range only")
                         : cut_mono (&v->log);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct cut_values v = { .cut = { .filter = NULL } };
  static const struct log_action actions[]
      = { [LOG_MONO] = { .run = cut_mono_log }, [LOG_GHC] = { .run = cut_eventlog } };
  int status;
  if (write_command_parse (&v.log, spec, false, argc, argv, &status)) {
    status = write_command_run (&v.log, true, actions, &v);
    status = log_command_finish (&v.log, status);
  }
  ghc_cut_clear (&v.cut);
  return status;
}

static const struct cli_option own[] = {
  { .name = "event",
    .kind = CLI_PARSED,
    .argument = "NAME|TAG,...",
    .offset = offsetof (struct cut_values, cut),
    .parse = parse_event,
    .help = "Only these events: names, patterns such as 'gc-*', or tags; may be repeated" },
  { .name = "no-event",
    .kind = CLI_PARSED,
    .argument = "NAME|TAG,...",
    .offset = offsetof (struct cut_values, cut),
    .parse = parse_no_event,
    .help = "None of these events; may be repeated" },
  { .name = "no-context",
    .kind = CLI_FLAG,
    .offset = offsetof (struct cut_values, cut.is_bare),
    .help = "Only the selected events, without announcements" },
  { .name = "bare", .kind = CLI_ALIAS, .help = "no-context" },
  { .name = NULL },
};

const struct cli_command command_cut = {
  .name = "cut",
  .group = CLI_CONVERT,
  .summary = "write a part of a log as a log",
  .parameters = "LOG",
  .description
  = "The options select the events that 'proflog dump' shows with the same options.  "
    "A Mono log can be cut by --thread and --time-range only.  Header and "
    "times stay as they are, so times count from the beginning of the whole log.\n\n"
    "A part of a Mono log has the events of the selected threads and times, and all names, which "
    "count as neither loaded nor compiled.  Reports of it are those of the whole with the same "
    "options.\n\n"
    "In a part of a GHC eventlog, announcements stay whatever is selected: capabilities and their "
    "sets, program, clock, heap, tasks, labels of threads, cost centres, info tables, counters.  "
    "--event and --no-event have the names of events that a dump has.  Unknown events stay as they "
    "are.  Figures that count from the start of the program, such as heap-allocated, still do so "
    "in a part.",
  .examples = CLI_EXAMPLES (
      { "Write a second of one thread",
        "proflog cut --thread Main --time-range 1s~2s app.mlpd -o second.mlpd" },
      { "Write a second of an eventlog",
        "proflog cut --time-range 2s~3s app.eventlog -o third-second.eventlog" },
      { "Leave out kinds of events",
        "proflog cut --no-event 'spark-*',perf-counter app.eventlog -o smaller.eventlog" },
      { "Print the collections of a capability",
        "proflog cut --cap 0 --event 'gc-*' app.eventlog | proflog show -" }),
  .options = { { own, 0 },
               { log_selection_options, 0 },
               { log_no_format_option, 0 },
               { log_index_option, 0 },
               { log_options, 0 } },
  .selects = SELECTS_PARTS | SELECTS_CAPS | SELECTS_NAMES | SELECTS_BYTES,
  .run = run,
};
