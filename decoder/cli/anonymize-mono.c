/* anonymize-mono.c -- a Mono log, item by item, into one without its texts. */
#include "config.h"

#include "decoder/cli/anonymize-mono.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-read.h"
#include "decoder/cli/message.h"
#include "decoder/cli/write-command.h"
#include "decoder/mlpd/edit/mlpd-anonymizer.h"

struct anonymizing {
  struct mlpd_anonymizer anonymizer;
  GError *error;
};

static void
handle_item (void *data, const struct mlpd_item *item, GString *out)
{
  struct anonymizing *a = data;
  if (a->error == NULL && mlpd_anonymizer_item (&a->anonymizer, item, &a->error))
    write_command_take_mono (a->anonymizer.writer, out);
}

int
anonymize_mono (struct log_command *command, const struct secrets *secrets)
{
  static const struct log_handler handler = { .item = handle_item };
  struct anonymizing a = { .error = NULL };
  mlpd_anonymizer_init (&a.anonymizer, secrets);
  int status = log_command_read (command, command->logs[0], &handler, &a);
  mlpd_writer_end_buffer (a.anonymizer.writer);
  if (status == CLI_OK && a.error == NULL
      && !write_command_rest_mono (command, a.anonymizer.writer))
    status = CLI_INPUT;
  if (a.error != NULL) {
    cli_message ("proflog %s: %s: %s", command->name, command->logs[0], a.error->message);
    g_error_free (a.error);
    status = CLI_INPUT;
  }
  if (status != CLI_OK)
    write_command_discard (command);
  mlpd_anonymizer_clear (&a.anonymizer);
  return status;
}
