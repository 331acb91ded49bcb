/* cmd-repair.c -- proflog repair */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/edit/edit.h"
#include "decoder/log/log-kind.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/input/log-input.h"

struct repair {
  struct log_command *command;
  const char *name;
  uint64_t events, blocks;
  uint64_t lost, places; /* bytes that were skipped, and how often */
  uint64_t damages;
};

static void
report_damage (struct repair *r, const struct ghc_item *item)
{
  const struct ghc_damage *damage = item->damage;
  r->damages++;
  r->command->damaged = true;
  r->lost += damage->skipped;
  r->places += damage->skipped != 0;
  if (r->command->quiet)
    return;
  progress_clear (&r->command->progress);
  repair_report_damage (r->name, item->offset, damage->skipped, damage->message);
}

static void
watch_item (void *data, const struct ghc_item *item)
{
  struct repair *r = data;
  r->events += item->type == GHC_ITEM_EVENT && item->kind != GHC_BLOCK_MARKER;
  r->blocks += item->kind == GHC_BLOCK_MARKER;
  if (item->type == GHC_ITEM_DAMAGE && item->header != NULL)
    report_damage (r, item);
}

static void
watch_damage (void *data, bool truncated, const char *message)
{
  struct repair *r = data;
  (void) truncated;
  r->damages++;
  if (!r->command->quiet)
    cli_message ("proflog repair: %s: %s", r->name, message);
}

static void
report_result (const struct repair *r, uint64_t dropped)
{
  char *kept = g_strdup_printf ("%" G_GUINT64_FORMAT " %s in %" G_GUINT64_FORMAT " %s", r->events,
                                r->events == 1 ? "event" : "events", r->blocks,
                                r->blocks == 1 ? "block" : "blocks");
  if (dropped != 0)
    cli_message ("proflog repair: %s: it was copied in text mode: %" G_GUINT64_FORMAT
                 " bytes 0d before 0a are removed; offsets do not count them",
                 r->name, dropped);
  if (r->damages == 0)
    cli_message ("proflog repair: %s: %s: %s", r->name,
                 dropped == 0 ? "nothing to repair" : "nothing was lost", kept);
  else if (r->places != 0)
    cli_message ("proflog repair: %s: kept %s; lost %" G_GUINT64_FORMAT
                 " bytes in %" G_GUINT64_FORMAT " %s",
                 r->name, kept, r->lost, r->places, r->places == 1 ? "place" : "places");
  else
    cli_message ("proflog repair: %s: kept %s", r->name, kept);
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
  c->reports_damage = true; /* in its own words */
  if (log_input_has_text_ends (c->input))
    log_input_drop_text_ends (c->input, &dropped);
  ghc_rewrite_init (&rewrite);
  rewrite.completes = true;
  const int status = write_command_log (c, &rewrite, &watch);
  if (status == CLI_OK && !c->quiet)
    report_result (&repair, dropped);
  ghc_rewrite_clear (&rewrite);
  g_free (name);
  return status;
}

/* A spool that was named is to be part of the result.  The reason why it is not was reported,
 * unless that is kept quiet. */
static bool
spool_is_used (const struct log_command *c)
{
  const struct log_input_recovery *recovery = log_input_recovery (c->input);
  if (c->spool == NULL || (recovery != NULL && recovery->is_taken))
    return true;
  if (recovery == NULL)
    cli_message ("proflog repair: %s: a spool can be appended only to a log in a file", c->logs[0]);
  else if (c->quiet)
    cli_message ("proflog: %s", recovery->message);
  return false;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct log_command command = { .name = NULL };
  int status;
  if (!write_command_parse (&command, spec, true, argc, argv, &status))
    return status;
  const struct log_kind *kind = log_kind_detect (&command, command.logs[0], false);
  if (kind != NULL && spool_is_used (&command)) {
    status = kind == &log_kind_ghc ? repair_eventlog (&command) : repair_mono (&command);
  } else {
    status = CLI_INPUT;
    write_command_discard (&command);
  }
  return log_command_finish (&command, status);
}

const struct cli_command command_repair = {
  .name = "repair",
  .group = CLI_CONVERT,
  .summary = "write the readable parts of a damaged log as a complete log",
  .parameters = "LOG [SPOOL]",
  .description
  = "An eventlog may be truncated, come from a killed program, be damaged in the middle, or have "
    "been copied in text mode (0d 0a for 0a).  Everything readable is written: header, blocks with "
    "their right sizes, end mark.  Lost bytes are listed on standard error, with the reason.  A "
    "log without damage is copied unchanged.  A damaged header cannot be repaired.\n\n"
    "Of a log of Mono each buffer is written up to its damage.  The events that a killed program "
    "left in LOG.spool follow the log.  SPOOL is this file if it is elsewhere, as for a log that "
    "went through a pipe, or with crash-buffer=DIR.  LOG may be the spool alone.\n\n"
    "With --strict the exit status is 4 if anything is lost.",
  .examples = CLI_EXAMPLES (
      { "Make one log of a log and its crash buffer", "proflog repair app.mlpd -o whole.mlpd" },
      { "Complete the eventlog of a killed program",
        "proflog repair killed.eventlog -o whole.eventlog" },
      { "Name a crash buffer that is elsewhere",
        "proflog repair piped.mlpd /run/user/1000/proflog-4711.spool -o whole.mlpd" },
      { "Report on what is readable", "proflog repair - <cut.eventlog.gz | proflog report -" }),
  .options = { { log_no_format_option, 0 }, { log_options, 0 } },
  .run = run,
};
