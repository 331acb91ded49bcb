/* cmd-show.c -- proflog show */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-reads.h"
#include "decoder/output/emitter.h"
#include "decoder/show/show.h"
#include "decoder/views/ghc/ghc-show.h"
#include <string.h>

struct show {
  const char *log_name;            /* of one among several; NULL: the only one */
  const struct ghc_filter *filter; /* borrowed */
  bool chooses;
  enum ghc_show_like like;
  bool begun; /* in order of the file: there was a header */
  uint64_t events;
  gint taken; /* whether any line came; set by any thread */
};

static void
store_order_filter (void *data, const struct ghc_filter *filter)
{
  ((struct show *) data)->filter = filter;
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
  ghc_show_begin (header, show->like, text);
}

static void
show_item (void *data, const struct ghc_item *item, GString *text)
{
  struct show *show = data;
  if (show->chooses && !ghc_filter_has (show->filter, item))
    return;
  if (g_atomic_int_get (&show->taken) == 0)
    g_atomic_int_set (&show->taken, 1);
  ghc_show_event (item, show->like, text);
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
store_filter (void *data, struct ghc_filter *filter)
{
  store_order_filter (data, filter);
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

static int
show_file_order (struct log_command *command, const char *path, struct show *show)
{
  static const struct ghc_handler handler = { .filter = store_filter, .item = show_in_turn };
  int status = log_command_read_eventlog (command, path, &handler, show);
  GString *text = g_string_new (NULL);
  if (show->begun && status == CLI_OK) {
    ghc_show_end (text);
    status = output_write (&command->output, text) ? CLI_OK : CLI_INPUT;
  }
  g_string_free (text, TRUE);
  return status;
}

struct show_values {
  struct log_command log;
  enum log_order order;
  const struct show_group *group; /* NULL: events are in order */
  bool raw_text;
  enum ghc_show_like like;
};

static enum ghc_show_like
like_of (const struct show_values *v)
{
  return v->like == GHC_SHOW_SAFE && v->raw_text ? GHC_SHOW_0_22 : v->like;
}

static int
show_eventlog (void *data, const char *path)
{
  const struct show_values *v = data;
  struct log_command *command = &((struct show_values *) data)->log;
  static const struct ghc_order_handler handler
      = { .filter = store_order_filter, .begin = begin_log, .item = show_item, .end = end_log };
  const struct selection *s = &command->selection;
  struct show show = { .log_name = command->logs[1] != NULL ? path : NULL,
                       .chooses = selection_chooses_events (s),
                       .like = like_of (v) };
  const int status = v->order == LOG_ORDER_FILE
                         ? show_file_order (command, path, &show)
                         : log_command_order_eventlog (command, path, &handler, &show);
  if (status == CLI_OK && show.chooses && show.taken == 0)
    log_command_warn_empty_selection (command, path, show.events, "events");
  return status;
}

/* The words before the logs. */
static const struct show_group {
  const char *name;
  enum ghc_show_by by;
  const char *no_mono; /* why logs of Mono do not have it */
} groups[] = {
  { "threads", GHC_SHOW_BY_THREAD,
    "its events are in order of time, and --thread selects a thread" },
  { "caps", GHC_SHOW_BY_CAP, "it has no capabilities" },
};

static int
show_mono_log (void *data, const char *path)
{
  struct show_values *v = data;
  return show_mono (&v->log, path, v->order);
}

static int
show_eventlog_groups (void *data, const char *path)
{
  struct show_values *v = data;
  return show_groups (&v->log, path, v->group->by, like_of (v));
}

static int
show_log (struct show_values *v, const char *path)
{
  static const struct log_action ordered[]
      = { [LOG_MONO] = { .run = show_mono_log }, [LOG_GHC] = { .run = show_eventlog } };
  const struct log_action grouped[]
      = { [LOG_MONO] = { .lack = v->group != NULL ? v->group->no_mono : NULL },
          [LOG_GHC] = { .run = show_eventlog_groups } };
  return log_kind_run (&v->log, path, true, v->group != NULL ? grouped : ordered, v);
}

static void
list_groups (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
    g_ptr_array_add (names, (gpointer) groups[i].name);
}

/* The first word may be a group, unless there is a log of that name. */
static bool
parse_group_word (struct show_values *v, GError **error)
{
  const char *first = v->log.logs[0];
  for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
    if (first != NULL && !log_command_is_log (first) && strcmp (first, groups[i].name) == 0)
      v->group = &groups[i];
  if (v->group == NULL)
    return true;
  if (v->order == LOG_ORDER_FILE)
    return cli_refuse (error, "%s: events come in order of time, not of the file", first);
  return log_command_drop_word (&v->log, error);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct show_values v = { .order = LOG_ORDER_TIME };
  GError *error = NULL;
  int status;
  if (!log_command_parse (&v.log, spec, argc, argv, &status))
    return status;
  if (!parse_group_word (&v, &error))
    return log_command_refuse (&v.log, error);
  if (!log_command_open (&v.log, &status))
    return status;
  status = CLI_OK;
  for (char **path = v.log.logs; *path != NULL; path++) {
    const int this_status = show_log (&v, *path);
    status = MAX (status, this_status);
  }
  return log_command_finish (&v.log, status);
}

static const struct cli_choice versions[] = { { "ghc-events-0.17", GHC_SHOW_0_17, false },
                                              { "ghc-events-0.22", GHC_SHOW_0_22, false },
                                              { NULL, 0, false } };

static const struct cli_option own[] = {
  { .name = "order",
    .kind = CLI_CHOICE,
    .argument = "ORDER",
    .offset = offsetof (struct show_values, order),
    .choices = log_orders,
    .help = "Order of events: time (default), or file, as recorded" },
  { .name = "raw-text",
    .kind = CLI_FLAG,
    .offset = offsetof (struct show_values, raw_text),
    .help
    = "Texts of eventlogs as they are, as ghc-events prints them: they may act on a terminal" },
  { .name = "like",
    .kind = CLI_CHOICE,
    .argument = "PROGRAM",
    .offset = offsetof (struct show_values, like),
    .choices = versions,
    .help = "Text of eventlogs as this version prints it, byte for byte: ghc-events-0.17, or "
            "ghc-events-0.22, which has the blocks and the size of a stack that overflows" },
  { .name = NULL },
};

const struct cli_command command_show = {
  .name = "show",
  .group = CLI_INSPECT,
  .summary = "print the events of a log in words, in time order",
  .parameters = "[threads|caps] LOG...",
  .description
  = "A line of a Mono log has the seconds since the first buffer, the thread with its name, and "
    "the event, with names of methods, classes and counters.\n\n"
    "Of a GHC eventlog it is the output of 'ghc-events show': the event types that the log "
    "declares, and a line for each event, with nanoseconds since the start of the program and the "
    "capability of its block.  Characters that act on a terminal, begin a line or change the "
    "direction of text are \\uXXXX.  After 'threads' or 'caps' the events come by thread or by "
    "capability, as 'ghc-events show threads' has them.\n\n"
    "Events of the same time keep the order of the file, and so do those of one buffer of a Mono "
    "log: an event that is late there, such as a method's name in logs of the stock profiler, is "
    "printed late, too.  "
    "For this a log from a pipe is copied to a temporary file, but not with --order file.\n\n"
    "--thread selects events of the thread, in eventlogs those that name it.  --filter and "
    "--exclude match the names in an event, in eventlogs the texts.  --min-bytes selects events "
    "that have a size.\n\n"
    "'proflog dump' has all fields, offsets and other formats.",
  .examples = CLI_EXAMPLES (
      { "Print all events in words", "proflog show app.mlpd" },
      { "Print those of one thread, of half a second",
        "proflog show --thread Main --time-range 1~1.5 app.mlpd" },
      { "Print the events of an eventlog by thread", "proflog show threads app.eventlog" },
      { "Print events whose text matches, of one capability and of none",
        "proflog show --cap 0,none --filter 'frame [0-9]+' app.eventlog" }),
  .options = { { own, 0 },
               { log_selection_options, 0 },
               { log_text_format_option, 0 },
               { log_index_option, 0 },
               { log_options, 0 } },
  .selects = SELECTS_PARTS | SELECTS_NAMES | SELECTS_BYTES | SELECTS_CAPS,
  .words = list_groups,
  .run = run,
};
