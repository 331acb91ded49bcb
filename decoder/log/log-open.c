/* log-open.c -- opens logs, detects their format, and prints warnings. */
#include "config.h"

#include "decoder/log/log-open.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-join.h"
#include "decoder/command/message.h"
#include "decoder/input/unpack.h"
#include "decoder/input/log-writer.h"
#include <glib/gstdio.h>
#include <string.h>

const char *
log_command_called (const char *log_name)
{
  return strcmp (log_name, "-") == 0 ? "standard input" : log_name;
}

void
log_command_warn (struct log_command *c, const char *log_name, const char *message)
{
  c->damaged = true;
  progress_clear (&c->progress);
  if (!c->quiet && !c->reports_damage)
    cli_message ("proflog: %s: warning: %s", log_command_called (log_name), message);
}

void
log_command_warn_more (struct log_command *c, const char *log_name, guint more)
{
  if (!c->quiet && !c->reports_damage)
    cli_message ("proflog: %s: warning: ... and %u more", log_command_called (log_name), more);
}

char *
log_damage_message (const char *damage, uint64_t skipped)
{
  return skipped == 0
             ? g_strdup (damage)
             : g_strdup_printf ("%s (%" G_GUINT64_FORMAT " bytes skipped)", damage, skipped);
}

void
log_command_warn_empty_selection (struct log_command *c, const char *log_name, uint64_t count,
                                  const char *things)
{
  c->selected_nothing = true;
  progress_clear (&c->progress);
  if (!c->quiet && count == 0)
    cli_message ("proflog: %s: warning: nothing to select from: no %s",
                 log_command_called (log_name), things);
  else if (!c->quiet)
    cli_message ("proflog: %s: warning: nothing was selected: none of %" G_GUINT64_FORMAT " %s",
                 log_command_called (log_name), count, things);
}

static void
warn_of_damage (struct log_read_context *r, const char *message)
{
  r->command->damaged = true;
  if (r->warnings++ < LOG_WARNINGS_MAX)
    log_command_warn (r->command, r->name, message);
}

static void
report_writer (struct log_read_context *r, long writer)
{
  r->writer = writer;
  progress_clear (&r->command->progress);
  if (writer != 0 && !r->command->quiet)
    cli_message ("proflog: %s: process %ld is still writing it", r->name, writer);
}

/* Whether the log lacks its end because a process is still writing it, which is reported once. */
static bool
is_being_written (struct log_read_context *r)
{
  if (r->writer == 0)
    report_writer (r, log_writer_of (r->last_file));
  return r->writer != 0;
}

static bool
handle_damage (struct log_read_context *r, bool truncated, const char *damage, uint64_t skipped,
               int *status)
{
  if (r->has_header && truncated && is_being_written (r))
    return false;
  if (r->has_header) {
    g_autofree char *message = log_damage_message (damage, skipped);
    warn_of_damage (r, message);
  } else {
    progress_clear (&r->command->progress);
    cli_message ("proflog: %s: %s", r->name, damage);
    *status = CLI_INPUT;
  }
  return true;
}

bool
log_read_context_handle_item (struct log_read_context *r, const struct mlpd_item *item, int *status)
{
  r->has_header |= item->type == MLPD_ITEM_FILE_HEADER;
  return item->type != MLPD_ITEM_DAMAGE
         || handle_damage (r, item->damage->reason == MLPD_DAMAGE_TRUNCATED, item->damage->message,
                           item->damage->skipped, status);
}

bool
log_read_context_handle_ghc_item (struct log_read_context *r, const struct ghc_item *item,
                                  int *status)
{
  r->has_header |= item->type == GHC_ITEM_HEADER;
  return item->type != GHC_ITEM_DAMAGE
         || handle_damage (r, item->damage->reason == GHC_DAMAGE_TRUNCATED, item->damage->message,
                           item->damage->skipped, status);
}

bool
log_read_context_error (struct log_read_context *r, const GError *error)
{
  progress_clear (&r->command->progress);
  /* Errors of the input have its name already. */
  if (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT))
    cli_message ("proflog: %s", error->message);
  else
    cli_message ("proflog: %s: %s", r->name, error->message);
  return false;
}

/* Bytes of a log in a file; 0 if it is not known: the log is compressed, or not a file. */
static uint64_t
size_of (const char *path)
{
  GStatBuf st;
  if (g_stat (path, &st) != 0 || !S_ISREG (st.st_mode))
    return 0;
  uint8_t id[UNPACK_ID_SIZE];
  FILE *file = g_fopen (path, "re");
  const size_t length = file != NULL ? fread (id, 1, sizeof id, file) : 0;
  if (file != NULL)
    fclose (file);
  return unpack_kind_of (id, length) == UNPACK_NONE ? (uint64_t) st.st_size : 0;
}

/* Reports of a spool beside a log.  One that cannot be used would have had more. */
static void
report_spool (struct log_read_context *r, const struct log_input_recovery *spool)
{
  if (spool == NULL)
    return;
  progress_clear (&r->command->progress);
  r->command->damaged |= spool->is_loss;
  if (spool->writer != 0)
    report_writer (r, spool->writer);
  else if (!r->command->quiet)
    cli_message ("proflog: %s", spool->message);
}

/* Files before it were deleted, if older ones are not kept, or are not given. */
static void
report_first_file (const struct log_read_context *r, const struct log_input *input)
{
  const char *first = log_input_first_file (input);
  if (first == NULL)
    return;
  progress_clear (&r->command->progress);
  if (!r->command->quiet)
    cli_message ("proflog: %s: the log begins before %s, its first file here", r->name, first);
}

/* The time range of the command is that of this log from here on (log-clock.h). */
static void
set_range (struct log_command *c, const char *log)
{
  const uint64_t *const begin = c->ranges != NULL ? g_hash_table_lookup (c->ranges, log) : NULL;
  c->selection.axis_ns = begin != NULL ? *begin : 0;
}

struct log_input *
log_read_context_open (struct log_read_context *r, const char *path)
{
  GError *error = NULL;
  struct log_input *input = g_steal_pointer (&r->command->input);
  set_range (r->command, path);
  if (input == NULL) {
    char *const *const files = log_joined_files (r->command->joined, path);
    input = files != NULL ? log_input_open_parts (path, files, r->command->spool, &error)
                          : log_input_open_with (path, r->command->spool, &error);
    if (input == NULL) {
      log_read_context_error (r, error);
      g_error_free (error);
      return NULL;
    }
    log_input_set_object_unit (input, r->command->object_unit);
    r->name = log_input_name (input);
    report_first_file (r, input);
    report_spool (r, log_input_recovery (input));
    log_command_write_index (r->command, input);
  } else if (log_input_recovery (input) != NULL) {
    r->writer = log_input_recovery (input)->writer; /* it was reported */
  }
  r->name = log_input_name (input);
  r->last_file = log_input_last_file (input);
  const bool is_joined = log_joined_files (r->command->joined, path) != NULL;
  progress_begin (&r->command->progress, is_joined ? log_input_size (input) : size_of (path),
                  r->command->quiet);
  return input;
}

char *
log_read_context_report (struct log_read_context *r, struct log_input *input, int status,
                         bool *truncated)
{
  const struct log_file_damage *damage = log_input_damage (input);
  if (damage != NULL && status != CLI_OK && !damage->is_read_error)
    damage = NULL; /* the log has another error, which was reported */
  if (damage != NULL && damage->truncated && !damage->is_read_error && is_being_written (r))
    damage = NULL;
  char *message = damage != NULL ? g_strdup (damage->message) : NULL;
  *truncated = damage != NULL && damage->truncated;
  progress_end (&r->command->progress);
  if (message != NULL && !r->has_read_error)
    warn_of_damage (r, message);
  r->has_read_error |= damage != NULL && damage->is_read_error;
  if (r->warnings > LOG_WARNINGS_MAX)
    log_command_warn_more (r->command, r->name, r->warnings - LOG_WARNINGS_MAX);
  r->warnings = MIN (r->warnings, LOG_WARNINGS_MAX);
  return message;
}

char *
log_read_context_close (struct log_read_context *r, struct log_input *input, int status,
                        bool *truncated)
{
  char *message = log_read_context_report (r, input, status, truncated);
  log_input_close (input);
  return message;
}

int
log_read_context_refuse (struct log_read_context *r, struct log_input *input, GError *error)
{
  log_read_context_error (r, error);
  g_error_free (error);
  log_input_close (input);
  return CLI_INPUT;
}

struct log_input *
log_read_context_open_eventlog (struct log_read_context *r, const char *path,
                                struct ghc_filter *filter,
                                bool (*prepare) (struct log_input *input, GError **error))
{
  GError *error = NULL;
  struct log_input *input = log_read_context_open (r, path);
  if (input == NULL)
    return NULL;
  if (ghc_filter_init (filter, &r->command->selection, input, &error)
      && (prepare == NULL || prepare (input, &error)))
    return input;
  ghc_filter_clear (filter);
  log_read_context_refuse (r, input, error);
  return NULL;
}
