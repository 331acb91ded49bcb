/* write-command.c -- see write-command.h. */
#include "decoder/cli/write-command.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/tell.h"
#include "decoder/formats/log-input.h"
#include "decoder/formats/spool-reader.h"
#include <string.h>
#include <unistd.h>

/* A rewrite at work. */
struct writing {
  struct log_command *command;
  struct ghc_rewrite *rewrite;
  const struct write_watch *watch;
  GError *error;
};

static void
take_bytes (struct ghc_rewrite *rewrite, GString *out)
{
  size_t length;
  const uint8_t *bytes = ghc_writer_take (rewrite->writer, &length);
  g_string_append_len (out, (const char *) bytes, (gssize) length);
}

static void
take_choice (void *data, struct ghc_choice *choice)
{
  const struct writing *w = data;
  if (w->watch->choice != NULL)
    w->watch->choice (w->watch->data, choice);
}

static void
take_item (void *data, const struct ghc_item *item, GString *out)
{
  struct writing *w = data;
  if (w->watch->item != NULL)
    w->watch->item (w->watch->data, item);
  if (w->error == NULL && ghc_rewrite_item (w->rewrite, item, &w->error))
    take_bytes (w->rewrite, out);
}

static void
take_damage (void *data, bool truncated, const char *message, GString *out)
{
  const struct writing *w = data;
  (void) out;
  if (w->watch->damage != NULL)
    w->watch->damage (w->watch->data, truncated, message);
}

static bool
write_rest (struct writing *w)
{
  GString *rest = g_string_new (NULL);
  bool good = ghc_rewrite_end (w->rewrite, &w->error);
  take_bytes (w->rewrite, rest);
  good = good && output_write (&w->command->output, rest);
  g_string_free (rest, TRUE);
  return good;
}

void
write_command_give_up (struct log_command *c)
{
  c->output.failed = true; /* and why, was told */
  progress_clear (&c->progress);
  g_clear_pointer (&c->input, log_input_close);
}

int
write_command_log (struct log_command *c, struct ghc_rewrite *rewrite,
                   const struct write_watch *watch)
{
  static const struct ghc_handler handler
      = { .choice = take_choice, .item = take_item, .damage = take_damage };
  struct writing w = { .command = c, .rewrite = rewrite, .watch = watch };
  int status = log_command_read_eventlog (c, c->logs[0], &handler, &w);
  if (status == CLI_OK && w.error == NULL && !write_rest (&w))
    status = CLI_INPUT;
  if (w.error != NULL) {
    cli_tell ("proflog %s: %s: %s", c->name, c->logs[0], w.error->message);
    g_error_free (w.error);
    status = CLI_INPUT;
  }
  if (status != CLI_OK)
    write_command_give_up (c);
  return status;
}

/* ---- beginning ---- */

bool
write_command_open (struct log_command *c, int *status)
{
  if ((c->path == NULL || strcmp (c->path, "-") == 0) && isatty (STDOUT_FILENO)) {
    cli_tell ("proflog %s: a log is nothing for a terminal; see -o in 'proflog %s --help'", c->name,
              c->name);
    *status = log_command_finish (c, CLI_USAGE);
    return false;
  }
  return log_command_open (c, status);
}

bool
write_command_look (struct log_command *c, const char *path, int *status)
{
  const enum log_format format = log_command_look (c, path);
  if (format == LOG_FORMAT_NONE)
    *status = CLI_INPUT;
  else if (format == LOG_FORMAT_MONO)
    *status = log_command_refuse_mono (c, path, "it writes eventlogs of GHC only");
  return format == LOG_FORMAT_GHC;
}

/* A spool among two logs is that of the other. */
static void
take_spool (struct log_command *c)
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
write_command_parse (struct log_command *c, const struct log_command_sort *sort, int argc,
                     char **argv, int *status)
{
  if (!log_command_parse (c, sort, argc, argv, status))
    return false;
  if (sort->takes_spool)
    take_spool (c);
  if (c->logs[1] != NULL && c->spool == NULL) {
    cli_tell ("proflog %s: one log at a time, and %u are given; see 'proflog %s --help'", c->name,
              g_strv_length (c->logs), c->name);
    *status = log_command_finish (c, CLI_USAGE);
    return false;
  }
  return write_command_open (c, status);
}

bool
write_command_begin (struct log_command *c, const struct log_command_sort *sort, int argc,
                     char **argv, int *status)
{
  if (!write_command_parse (c, sort, argc, argv, status))
    return false;
  if (write_command_look (c, c->logs[0], status))
    return true;
  write_command_give_up (c);
  *status = log_command_finish (c, *status);
  return false;
}
