/* cmd-repair.c -- proflog repair */
#include "decoder/cli/cli.h"
#include "decoder/cli/repair-mono.h"
#include "decoder/cli/tell.h"
#include "decoder/cli/write-command.h"
#include "decoder/formats/log-input.h"

struct repair {
  struct log_command *command;
  const char *name;
  uint64_t events, blocks;
  uint64_t lost, places; /* bytes that were passed over, and how often */
  uint64_t damages;
};

static void
tell_damage (struct repair *r, const struct ghc_item *item)
{
  const struct ghc_damage *damage = item->damage;
  r->damages++;
  r->command->damaged = true;
  r->lost += damage->skipped;
  r->places += damage->skipped != 0;
  if (r->command->quiet)
    return;
  progress_clear (&r->command->progress);
  if (damage->skipped == 0)
    cli_tell ("proflog repair: %s: %s", r->name, damage->message);
  else
    cli_tell ("proflog repair: %s: bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
              " (%" G_GUINT64_FORMAT ") are lost: %s",
              r->name, item->offset, item->offset + damage->skipped - 1, damage->skipped,
              damage->message);
}

static void
watch_item (void *data, const struct ghc_item *item)
{
  struct repair *r = data;
  r->events += item->type == GHC_ITEM_EVENT && item->kind != GHC_BLOCK_MARKER;
  r->blocks += item->kind == GHC_BLOCK_MARKER;
  if (item->type == GHC_ITEM_DAMAGE && item->header != NULL)
    tell_damage (r, item);
}

static void
watch_damage (void *data, bool truncated, const char *message)
{
  struct repair *r = data;
  (void) truncated;
  r->damages++;
  if (!r->command->quiet)
    cli_tell ("proflog repair: %s: %s", r->name, message);
}

static void
tell_result (const struct repair *r, uint64_t dropped)
{
  char *kept = g_strdup_printf ("%" G_GUINT64_FORMAT " %s in %" G_GUINT64_FORMAT " %s", r->events,
                                r->events == 1 ? "event" : "events", r->blocks,
                                r->blocks == 1 ? "block" : "blocks");
  if (dropped != 0)
    cli_tell ("proflog repair: %s: it was copied as a text of Windows: %" G_GUINT64_FORMAT
              " bytes 0d before 0a are taken out; offsets are those without them",
              r->name, dropped);
  if (r->damages == 0)
    cli_tell ("proflog repair: %s: %s: %s", r->name,
              dropped == 0 ? "there is nothing to repair" : "nothing was lost", kept);
  else if (r->places != 0)
    cli_tell ("proflog repair: %s: kept %s; lost %" G_GUINT64_FORMAT " bytes in %" G_GUINT64_FORMAT
              " %s",
              r->name, kept, r->lost, r->places, r->places == 1 ? "place" : "places");
  else
    cli_tell ("proflog repair: %s: kept %s", r->name, kept);
  g_free (kept);
}

static int
repair_eventlog (struct log_command *c)
{
  struct ghc_rewrite rewrite;
  uint64_t dropped = 0;
  char *name = g_strdup (log_input_name (c->input));
  struct repair repair = { .command = c, .name = name };
  const struct write_watch watch = { .item = watch_item, .damage = watch_damage, .data = &repair };
  c->tells_damage = true; /* in its own words */
  if (log_input_has_text_ends (c->input))
    log_input_drop_text_ends (c->input, &dropped);
  ghc_rewrite_init (&rewrite);
  rewrite.completes = true;
  const int status = write_command_log (c, &rewrite, &watch);
  if (status == CLI_OK && !c->quiet)
    tell_result (&repair, dropped);
  ghc_rewrite_clear (&rewrite);
  g_free (name);
  return status;
}

/* A spool that was named is to be part of the result.  It was told why it is not, unless that is
 * kept quiet. */
static bool
spool_is_taken (const struct log_command *c)
{
  const struct log_input_recovery *recovery = log_input_recovery (c->input);
  if (c->spool == NULL || (recovery != NULL && recovery->is_taken))
    return true;
  if (recovery == NULL)
    cli_tell ("proflog repair: %s: a spool can be put behind a log in a file only", c->logs[0]);
  else if (c->quiet)
    cli_tell ("proflog: %s", recovery->message);
  return false;
}

int
cmd_repair (int argc, char **argv)
{
  static const struct log_command_sort sort = {
    .name = "repair",
    .parameters = "LOG [SPOOL]",
    .summary = "write what is readable of a damaged log as a whole one",
    .description
    = "Of an eventlog that is cut, of a program that was killed, damaged in the middle, or copied "
      "as a\n"
      "text of Windows (0d 0a for 0a), everything that can be read is kept: header, blocks with\n"
      "their right sizes, end mark.  Which bytes are lost is told on standard error, and why.\n"
      "A log without damage comes out as it is.  A damaged header cannot be repaired.\n"
      "Of a log of Mono each buffer is kept up to its damage.  What a killed program has left in\n"
      "LOG.spool is put behind the log; SPOOL is where it lies if that is elsewhere, as of a log\n"
      "that went through a pipe, or with spool=DIR.  LOG may be the spool alone.\n\n"
      "The exit status is 4 with --strict if anything is lost.\n\n"
      "Examples:\n"
      "  proflog repair app.mlpd -o whole.mlpd\n"
      "  proflog repair killed.eventlog -o whole.eventlog\n"
      "  proflog repair piped.mlpd /run/user/1000/proflog-4711.spool -o whole.mlpd\n"
      "  proflog repair - <cut.eventlog.gz | proflog report -",
    .is_log = true,
    .takes_spool = true,
  };
  struct log_command command;
  int status;
  if (!write_command_parse (&command, &sort, argc, argv, &status))
    return status;
  enum log_format format = log_command_look (&command, command.logs[0]);
  if (format != LOG_FORMAT_NONE && !spool_is_taken (&command))
    format = LOG_FORMAT_NONE;
  switch (format) {
  case LOG_FORMAT_NONE:
    status = CLI_INPUT;
    write_command_give_up (&command);
    break;
  case LOG_FORMAT_MONO:
    status = repair_mono (&command);
    break;
  case LOG_FORMAT_GHC:
    status = repair_eventlog (&command);
    break;
  }
  return log_command_finish (&command, status);
}
