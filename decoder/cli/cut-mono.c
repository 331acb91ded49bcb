/* cut-mono.c -- writes a part of a Mono log. */
#include "config.h"

#include "decoder/cli/cut-mono.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-read.h"
#include "decoder/cli/message.h"
#include "decoder/cli/write-command.h"
#include "decoder/mlpd/edit/mlpd-cut.h"

struct cutting {
  struct mlpd_cut cut;
  GError *error;
};

static void
move_bytes (struct mlpd_writer *writer, GString *out)
{
  size_t length;
  const uint8_t *bytes = mlpd_writer_take (writer, &length);
  g_string_append_len (out, (const char *) bytes, (gssize) length);
}

static void
handle_item (void *data, const struct mlpd_item *item, GString *out)
{
  struct cutting *c = data;
  if (c->error == NULL && mlpd_cut_item (&c->cut, item, &c->error))
    move_bytes (c->cut.writer, out);
}

/* It was reported. */
static void
pass_damage (void *data, bool truncated, const char *message, GString *out)
{
  (void) data;
  (void) truncated;
  (void) message;
  (void) out;
}

static bool
write_rest (struct log_command *command, struct cutting *c)
{
  GString *rest = g_string_new (NULL);
  bool good = mlpd_cut_end (&c->cut, &c->error);
  move_bytes (c->cut.writer, rest);
  good = good && output_write (&command->output, rest);
  g_string_free (rest, TRUE);
  return good;
}

int
cut_mono (struct log_command *command)
{
  static const struct log_handler handler = { .item = handle_item, .damage = pass_damage };
  struct cutting c = { .error = NULL };
  mlpd_cut_init (&c.cut, &command->filter);
  int status = log_command_read (command, command->logs[0], &handler, &c);
  if (status == CLI_OK && c.error == NULL && !write_rest (command, &c))
    status = CLI_INPUT;
  if (c.error != NULL) {
    cli_message ("proflog %s: %s: %s", command->name, command->logs[0], c.error->message);
    g_error_free (c.error);
    status = CLI_INPUT;
  }
  if (status != CLI_OK)
    write_command_discard (command);
  else if (c.cut.taken == 0)
    log_command_warn_empty_selection (command, command->logs[0], c.cut.events, "events");
  mlpd_cut_clear (&c.cut);
  return status;
}
