/* write-command.c -- writes a log, or rewrites an eventlog event by event. */
#include "config.h"

#include "decoder/convert/convert-losses.h"
#include "decoder/input/spool-logs.h"
#include "decoder/log/log-open.h"
#include "decoder/edit/write-command.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/input/log-input.h"
#include "decoder/log/log-reads.h"
#include <string.h>
#include <unistd.h>

/* A rewrite at work. */
struct write_context {
  struct log_command *command;
  struct ghc_rewrite *rewrite;
  const struct write_watch *watch;
  GError *error;
};

static void
move_bytes (struct ghc_rewrite *rewrite, GString *out)
{
  size_t length;
  const uint8_t *bytes = ghc_writer_take (rewrite->writer, &length);
  g_string_append_len (out, (const char *) bytes, (gssize) length);
}

static void
store_filter (void *data, struct ghc_filter *filter)
{
  const struct write_context *w = data;
  if (w->watch->filter != NULL)
    w->watch->filter (w->watch->data, filter);
}

static void
handle_item (void *data, const struct ghc_item *item, GString *out)
{
  struct write_context *w = data;
  if (w->watch->item != NULL)
    w->watch->item (w->watch->data, item);
  if (w->error == NULL && ghc_rewrite_item (w->rewrite, item, &w->error))
    move_bytes (w->rewrite, out);
}

static void
handle_damage (void *data, bool truncated, const char *message, GString *out)
{
  const struct write_context *w = data;
  (void) out;
  if (w->watch->damage != NULL)
    w->watch->damage (w->watch->data, truncated, message);
}

static bool
write_rest (struct write_context *w)
{
  GString *rest = g_string_new (NULL);
  bool good = ghc_rewrite_end (w->rewrite, &w->error);
  move_bytes (w->rewrite, rest);
  good = good && output_write (&w->command->output, rest);
  g_string_free (rest, TRUE);
  return good;
}

void
write_command_discard (struct log_command *c)
{
  c->output.failed = true; /* the reason was reported */
  progress_clear (&c->progress);
  g_clear_pointer (&c->input, log_input_close);
}

int
write_command_run (struct log_command *c, bool selects, const struct log_action actions[LOG_KINDS],
                   void *data)
{
  const int status = log_kind_run (c, c->logs[0], selects, actions, data);
  if (status != CLI_OK)
    write_command_discard (c);
  return status;
}

/* Reports the error (transfer full; NULL: there is none), and discards an output that is not whole.
 * Returns the exit status. */
static int
end_writing (struct log_command *c, int status, GError *error)
{
  if (error != NULL) {
    cli_message ("proflog %s: %s: %s", c->name, c->logs[0], error->message);
    g_error_free (error);
    status = CLI_INPUT;
  }
  if (status != CLI_OK)
    write_command_discard (c);
  return status;
}

int
write_command_log (struct log_command *c, struct ghc_rewrite *rewrite,
                   const struct write_watch *watch)
{
  static const struct ghc_handler handler
      = { .filter = store_filter, .item = handle_item, .damage = handle_damage };
  struct write_context w = { .command = c, .rewrite = rewrite, .watch = watch };
  int status = log_command_read_eventlog (c, c->logs[0], &handler, &w);
  if (status == CLI_OK && w.error == NULL && !write_rest (&w))
    status = CLI_INPUT;
  return end_writing (c, status, w.error);
}

/* ---- logs of Mono ---- */

void
write_command_take_mono (struct mlpd_writer *writer, GString *out)
{
  size_t length;
  const uint8_t *bytes = mlpd_writer_take (writer, &length);
  g_string_append_len (out, (const char *) bytes, (gssize) length);
}

bool
write_command_rest_mono (struct log_command *c, struct mlpd_writer *writer)
{
  GString *rest = g_string_new (NULL);
  write_command_take_mono (writer, rest);
  const bool good = output_write (&c->output, rest);
  g_string_free (rest, TRUE);
  return good;
}

/* A log of Mono that is written item by item. */
struct mono_context {
  const struct write_mono *write;
  GError *error;
};

static void
handle_mono_item (void *data, const struct mlpd_item *item, GString *out)
{
  struct mono_context *w = data;
  if (w->error == NULL && w->write->item (w->write->data, item, &w->error))
    write_command_take_mono (w->write->writer, out);
}

int
write_command_mono_log (struct log_command *c, const struct write_mono *write)
{
  static const struct log_handler handler = { .item = handle_mono_item };
  struct mono_context w = { .write = write };
  int status = log_command_read (c, c->logs[0], &handler, &w);
  if (status == CLI_OK && w.error == NULL) {
    if (write->end != NULL)
      write->end (write->data);
    mlpd_writer_end_buffer (write->writer);
    status = write_command_rest_mono (c, write->writer) ? CLI_OK : CLI_INPUT;
  }
  return end_writing (c, status, w.error);
}

/* ---- beginning ---- */

bool
write_command_open (struct log_command *c, int *status)
{
  return write_command_open_other (c, "a binary log", "-o FILE", status);
}

bool
write_command_open_other (struct log_command *c, const char *thing, const char *instead,
                          int *status)
{
  if ((c->path == NULL || strcmp (c->path, "-") == 0) && isatty (STDOUT_FILENO)) {
    cli_message ("proflog %s: refusing to write %s to a terminal; use %s, see 'proflog %s --help'",
                 c->name, thing, instead, c->name);
    *status = log_command_finish (c, CLI_USAGE);
    return false;
  }
  return log_command_open (c, status);
}

/* A spool among two logs is that of the other. */
static void
parse_spool (struct log_command *c)
{
  if (c->logs[1] == NULL || c->logs[2] != NULL
      || spool_is_at (c->logs[0]) == spool_is_at (c->logs[1]))
    return;
  if (spool_is_at (c->logs[0])) {
    char *spool = c->logs[0];
    c->logs[0] = c->logs[1];
    c->logs[1] = spool;
  }
  c->spool = c->logs[1];
}

bool
write_command_parse (struct log_command *c, const struct cli_command *spec, bool has_spool,
                     int argc, char **argv, int *status)
{
  if (!log_command_parse (c, spec, argc, argv, status))
    return false;
  if (has_spool)
    parse_spool (c);
  if (c->logs[1] != NULL && c->spool == NULL) {
    cli_message ("proflog %s: one log at a time, but %u are given; see 'proflog %s --help'",
                 c->name, g_strv_length (c->logs), c->name);
    *status = log_command_finish (c, CLI_USAGE);
    return false;
  }
  return write_command_open (c, status);
}

void
write_command_report_losses (const struct log_command *c, const char *path, const char *target,
                             const struct convert_losses *losses)
{
  for (guint i = 0; !c->quiet && i < losses->names->len; i++)
    cli_message ("proflog %s: %s: not in %s: %" G_GUINT64_FORMAT " %s", c->name, path, target,
                 g_array_index (losses->counts, uint64_t, i),
                 (const char *) losses->names->pdata[i]);
}
