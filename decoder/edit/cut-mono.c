/* cut-mono.c -- writes a part of a Mono log. */
#include "config.h"

#include "decoder/edit/cut-mono.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-open.h"
#include "decoder/edit/write-command.h"
#include "decoder/mlpd/edit/mlpd-cut.h"

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

int
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
