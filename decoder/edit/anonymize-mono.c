/* anonymize-mono.c -- a Mono log, item by item, into one without its texts. */
#include "config.h"

#include "decoder/edit/anonymize-mono.h"
#include "decoder/edit/write-command.h"
#include "decoder/mlpd/edit/mlpd-anonymizer.h"

static bool
anonymize_item (void *anonymizer, const struct mlpd_item *item, GError **error)
{
  return mlpd_anonymizer_item (anonymizer, item, error);
}

int
anonymize_mono (struct log_command *command, const struct secrets *secrets)
{
  struct mlpd_anonymizer anonymizer;
  mlpd_anonymizer_init (&anonymizer, secrets);
  const struct write_mono write
      = { .writer = anonymizer.writer, .item = anonymize_item, .data = &anonymizer };
  const int status = write_command_mono_log (command, &write);
  mlpd_anonymizer_clear (&anonymizer);
  return status;
}
