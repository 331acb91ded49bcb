/* show-groups.c -- prints the events of an eventlog by thread or by capability. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/log/log-reads.h"
#include "decoder/show/show.h"
#include "decoder/views/dump-lines.h"

struct grouping {
  struct log_command *command;
  struct dump_lines lines;
  enum ghc_show_by by;
  enum ghc_show_like like;
  const struct ghc_filter *filter; /* borrowed */
  bool chooses;
  gint taken;                     /* whether any line came; set by any thread */
  struct ghc_show_groups *groups; /* of the log that is being read; NULL: none */
  uint64_t events;
  int status; /* of the output */
};

static void
store_filter (void *data, const struct ghc_filter *filter)
{
  ((struct grouping *) data)->filter = filter;
}

static bool
write_text (void *data, GString *text)
{
  struct grouping *g = data;
  if (!output_write (&g->command->output, text))
    g->status = CLI_INPUT;
  g_string_truncate (text, 0);
  return g->status == CLI_OK;
}

static void
begin_log (void *data, const struct ghc_header *header, GString *unused)
{
  struct grouping *g = data;
  GString *text = g_string_new (NULL);
  (void) unused;
  dump_lines_head (&g->lines, "", text);
  g->lines.begun = false; /* each log in the file has its name */
  ghc_show_groups_begin (header, g->by, g->like, text);
  g->groups = ghc_show_groups_new (g->by);
  progress_clear (&g->command->progress);
  write_text (g, text);
  g_string_free (text, TRUE);
}

static void
put_item (void *data, const struct ghc_item *item, GString *text)
{
  struct grouping *g = data;
  const bool is_shown = !g->chooses || ghc_filter_has (g->filter, item);
  if (is_shown && g_atomic_int_get (&g->taken) == 0)
    g_atomic_int_set (&g->taken, 1);
  ghc_show_groups_put (item, is_shown, g->like, text);
}

static bool
add_items (void *data, const GString *text)
{
  struct grouping *g = data;
  return g->status == CLI_OK && (g->groups == NULL || ghc_show_groups_add (g->groups, text));
}

static void
write_groups (struct grouping *g)
{
  GError *error = NULL;
  progress_clear (&g->command->progress);
  if (!ghc_show_groups_write (g->groups, write_text, g, &error)) {
    cli_message ("proflog %s: %s", g->command->name, error->message);
    g_error_free (error);
    g->status = CLI_INPUT;
  }
  g_clear_pointer (&g->groups, ghc_show_groups_free);
}

static void
end_log (void *data, uint64_t events, GString *unused)
{
  struct grouping *g = data;
  (void) unused;
  g->events += events;
  write_groups (g);
}

int
show_groups (struct log_command *command, const char *path, enum ghc_show_by by,
             enum ghc_show_like like)
{
  static const struct ghc_order_handler handler = { .filter = store_filter,
                                                    .begin = begin_log,
                                                    .item = put_item,
                                                    .end = end_log,
                                                    .write = add_items,
                                                    .all_times = true };
  struct grouping g
      = { .command = command,
          .lines = { .format = EMITTER_TEXT, .log_name = command->logs[1] != NULL ? path : NULL },
          .by = by,
          .like = like,
          .chooses = selection_chooses_events (&command->selection) };
  int status = log_command_order_eventlog (command, path, &handler, &g);
  if (g.groups != NULL) /* the temporary file failed, or the log */
    write_groups (&g);
  status = MAX (status, g.status);
  if (status == CLI_OK && g.chooses && g.taken == 0)
    log_command_warn_empty_selection (command, path, g.events, "events");
  return status;
}
