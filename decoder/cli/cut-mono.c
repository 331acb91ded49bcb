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
handle_item (void *data, const struct mlpd_item *item, GString *out)
{
  struct cutting *c = data;
  if (c->error == NULL && mlpd_cut_item (&c->cut, item, &c->error))
    write_command_take_mono (c->cut.part.writer, out);
}

int
cut_mono (struct log_command *command)
{
  static const struct log_handler handler = { .item = handle_item };
  struct cutting c = { .error = NULL };
  mlpd_cut_init (&c.cut, &command->filter);
  int status = log_command_read (command, command->logs[0], &handler, &c);
  if (status == CLI_OK && c.error == NULL && mlpd_cut_end (&c.cut, &c.error)
      && !write_command_rest_mono (command, c.cut.part.writer))
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
