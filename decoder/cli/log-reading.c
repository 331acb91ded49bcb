/* log-reading.c -- see log-reading.h. */
#include "decoder/cli/log-reading.h"
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/tell.h"
#include "decoder/formats/unpack.h"
#include <glib/gstdio.h>
#include <string.h>

/* Damage that is told on stderr; the rest is counted. */
#define WARNINGS_MAX 5

/* What messages call a log, as those of reading it do. */
static const char *
called (const char *log_name)
{
  return strcmp (log_name, "-") == 0 ? "standard input" : log_name;
}

void
log_command_warn (struct log_command *c, const char *log_name, const char *message)
{
  c->damaged = true;
  progress_clear (&c->progress);
  if (!c->quiet && !c->tells_damage)
    cli_tell ("proflog: %s: warning: %s", called (log_name), message);
}

void
log_command_tell_nothing (const struct log_command *c, const char *log_name, uint64_t count,
                          const char *things)
{
  if (!c->quiet && count == 0)
    cli_tell ("proflog: %s: warning: nothing to choose from: no %s", called (log_name), things);
  else if (!c->quiet)
    cli_tell ("proflog: %s: warning: nothing was chosen: none of %" G_GUINT64_FORMAT " %s",
              called (log_name), count, things);
}

static void
warn_of_damage (struct log_reading *r, const char *message)
{
  r->command->damaged = true;
  if (r->warnings++ < WARNINGS_MAX)
    log_command_warn (r->command, r->name, message);
}

void
log_reading_damage (struct log_reading *r, const char *damage, uint64_t skipped, int *status)
{
  if (r->has_header && skipped != 0) {
    char *message = g_strdup_printf ("%s (%" G_GUINT64_FORMAT " bytes skipped)", damage, skipped);
    warn_of_damage (r, message);
    g_free (message);
  } else if (r->has_header) {
    warn_of_damage (r, damage);
  } else {
    cli_tell ("proflog: %s: %s", r->name, damage);
    *status = CLI_INPUT;
  }
}

void
log_reading_look_at (struct log_reading *r, const struct mlpd_item *item, int *status)
{
  r->has_header |= item->type == MLPD_ITEM_FILE_HEADER;
  if (item->type == MLPD_ITEM_DAMAGE)
    log_reading_damage (r, item->damage->message, item->damage->skipped, status);
}

bool
log_reading_error (struct log_reading *r, const GError *error)
{
  progress_clear (&r->command->progress);
  /* Errors of the input tell its name already. */
  if (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT))
    cli_tell ("proflog: %s", error->message);
  else
    cli_tell ("proflog: %s: %s", r->name, error->message);
  return false;
}

/* Bytes of a log in a file; 0 if that cannot be told: of what is compressed, or no file. */
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
  return unpack_sort_of (id, length) == UNPACK_NONE ? (uint64_t) st.st_size : 0;
}

/* Tells of a spool beside a log.  One that cannot be used would have had more. */
static void
tell_spool (struct log_command *c, const struct log_input_recovery *spool)
{
  if (spool == NULL)
    return;
  c->damaged |= spool->is_loss;
  if (!c->quiet)
    cli_tell ("proflog: %s", spool->message);
}

struct log_input *
log_reading_open (struct log_reading *r, const char *path)
{
  GError *error = NULL;
  struct log_input *input = g_steal_pointer (&r->command->input);
  if (input == NULL) {
    input = log_input_open_with (path, r->command->spool, &error);
    if (input == NULL) {
      log_reading_error (r, error);
      g_error_free (error);
      return NULL;
    }
    tell_spool (r->command, log_input_recovery (input));
  }
  r->name = log_input_name (input);
  progress_begin (&r->command->progress, size_of (path), r->command->quiet);
  return input;
}

char *
log_reading_tell (struct log_reading *r, struct log_input *input, int status, bool *truncated)
{
  const struct log_input_damage *damage = status == CLI_OK ? log_input_damage (input) : NULL;
  char *message = damage != NULL ? g_strdup (damage->message) : NULL;
  *truncated = damage != NULL && damage->truncated;
  progress_clear (&r->command->progress);
  if (message != NULL)
    warn_of_damage (r, message);
  if (r->warnings > WARNINGS_MAX && !r->command->quiet && !r->command->tells_damage)
    cli_tell ("proflog: %s: warning: ... and %u more", r->name, r->warnings - WARNINGS_MAX);
  return message;
}

char *
log_reading_close (struct log_reading *r, struct log_input *input, int status, bool *truncated)
{
  char *message = log_reading_tell (r, input, status, truncated);
  log_input_close (input);
  return message;
}

int
log_reading_refuse (struct log_reading *r, struct log_input *input, GError *error)
{
  log_reading_error (r, error);
  g_error_free (error);
  log_input_close (input);
  return CLI_INPUT;
}

struct log_input *
log_reading_open_eventlog (struct log_reading *r, const char *path, struct ghc_choice *choice,
                           bool (*prepare) (struct log_input *input, GError **error))
{
  GError *error = NULL;
  struct log_input *input = log_reading_open (r, path);
  if (input == NULL)
    return NULL;
  if (ghc_choice_init (choice, &r->command->selection, input, &error)
      && (prepare == NULL || prepare (input, &error)))
    return input;
  ghc_choice_clear (choice);
  log_reading_refuse (r, input, error);
  return NULL;
}

enum log_format
log_command_look (struct log_command *c, const char *path)
{
  struct log_reading r = { .command = c, .name = path };
  c->input = log_reading_open (&r, path);
  if (c->input == NULL)
    return LOG_FORMAT_NONE;
  return log_input_is_eventlog (c->input) ? LOG_FORMAT_GHC : LOG_FORMAT_MONO;
}

/* Gives up the log that was looked at. */
static int
give_up (struct log_command *c)
{
  g_clear_pointer (&c->input, log_input_close);
  return CLI_INPUT;
}

int
log_command_refuse_eventlog (struct log_command *c, const char *path, const char *why)
{
  progress_clear (&c->progress);
  cli_tell ("proflog %s: %s is an eventlog of GHC: %s", c->name, called (path), why);
  return give_up (c);
}

int
log_command_refuse_mono (struct log_command *c, const char *path, const char *why)
{
  static const uint8_t mono[] = { MLPD_FILE_ID & 0xff, MLPD_FILE_ID >> 8 & 0xff,
                                  MLPD_FILE_ID >> 16 & 0xff, MLPD_FILE_ID >> 24 };
  uint8_t bytes[sizeof mono] = { 0 };
  size_t length;
  GError *error = NULL;
  const char *name = called (path);
  progress_clear (&c->progress);
  if (!log_input_fill (c->input, bytes, sizeof bytes, &length, &error))
    cli_tell ("proflog: %s", error->message);
  else if (length == sizeof mono && memcmp (bytes, mono, sizeof mono) == 0)
    cli_tell ("proflog %s: %s is a log of Mono: %s", c->name, name, why);
  else if (length < sizeof bytes)
    cli_tell ("proflog: %s: not a GHC eventlog: it has %" G_GSIZE_FORMAT " bytes", name, length);
  else
    cli_tell ("proflog: %s: not a GHC eventlog: it begins with the bytes %02x %02x %02x %02x, an "
              "eventlog with 68 64 72 62",
              name, bytes[0], bytes[1], bytes[2], bytes[3]);
  g_clear_error (&error);
  return give_up (c);
}

bool
log_command_can_choose (struct log_command *c, const char *path, enum log_format format)
{
  if (format == LOG_FORMAT_MONO && c->selection.caps != NULL)
    log_command_refuse_mono (c, path, "it has no capabilities that --cap could choose from");
  else if (format == LOG_FORMAT_GHC && c->selection.depth != 0)
    log_command_refuse_eventlog (c, path, "it has no calls that --depth could choose from");
  else if (format == LOG_FORMAT_GHC && selection_has_objects (&c->selection))
    log_command_refuse_eventlog (c, path,
                                 "it has no objects that --find or --track could look for");
  else
    return true;
  return false;
}
