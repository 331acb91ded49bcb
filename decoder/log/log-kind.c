/* log-kind.c -- detects the format of a log. */
#include "config.h"

#include "decoder/log/log-kind.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/core/foreign-file.h"
#include "decoder/input/log-input.h"
#include "decoder/log/log-open.h"
#include <string.h>

/* Closes the log that was inspected. */
static int
discard_log (struct log_command *c)
{
  g_clear_pointer (&c->input, log_input_close);
  return CLI_INPUT;
}

/* ---- logs of Mono ---- */

const char log_kind_lacks_names[] = "it has no info tables that --names-from could name";

static const char *
find_mono_lack (const struct selection *s)
{
  return s->caps != NULL ? "it has no capabilities that --cap could choose from" : NULL;
}

static int
refuse_mono (struct log_command *c, const char *path, const char *why)
{
  static const uint8_t mono[] = { MLPD_FILE_ID & 0xff, MLPD_FILE_ID >> 8 & 0xff,
                                  MLPD_FILE_ID >> 16 & 0xff, MLPD_FILE_ID >> 24 };
  uint8_t bytes[FOREIGN_FILE_BYTES] = { 0 };
  size_t length;
  GError *error = NULL;
  const char *name = log_command_called (path);
  progress_clear (&c->progress);
  if (!log_input_fill (c->input, bytes, sizeof bytes, &length, &error))
    cli_message ("proflog: %s", error->message);
  else if (length >= sizeof mono && memcmp (bytes, mono, sizeof mono) == 0)
    cli_message ("proflog %s: %s is a log of Mono: %s", c->name, name, why);
  else if (foreign_file_name (bytes, length) != NULL)
    cli_message ("proflog: %s: not a GHC eventlog, but %s", name,
                 foreign_file_name (bytes, length));
  else if (length < sizeof mono)
    cli_message ("proflog: %s: not a GHC eventlog: it has %" G_GSIZE_FORMAT " bytes", name, length);
  else
    cli_message (
        "proflog: %s: not a GHC eventlog: it begins with the bytes %02x %02x %02x %02x, an "
        "eventlog with 68 64 72 62",
        name, bytes[0], bytes[1], bytes[2], bytes[3]);
  g_clear_error (&error);
  return discard_log (c);
}

const struct log_kind log_kind_mono
    = { LOG_MONO, "a log of Mono", ".mlpd", find_mono_lack, refuse_mono };

/* ---- eventlogs ---- */

static const char *
find_ghc_lack (const struct selection *s)
{
  if (s->depth != 0)
    return "it has no calls that --depth could choose from";
  return selection_has_objects (s) ? "it has no objects for --find or --track" : NULL;
}

static int
refuse_ghc (struct log_command *c, const char *path, const char *why)
{
  progress_clear (&c->progress);
  cli_message ("proflog %s: %s is an eventlog of GHC: %s", c->name, log_command_called (path), why);
  return discard_log (c);
}

const struct log_kind log_kind_ghc
    = { LOG_GHC, "an eventlog of GHC", ".eventlog", find_ghc_lack, refuse_ghc };

/* ---- both ---- */

const struct log_kind *
log_kind_of_name (const char *path)
{
  if (g_str_has_suffix (path, log_kind_mono.suffix))
    return &log_kind_mono;
  return g_str_has_suffix (path, log_kind_ghc.suffix) ? &log_kind_ghc : NULL;
}

const struct log_kind *
log_kind_detect (struct log_command *c, const char *path, bool selects)
{
  struct log_read_context r = { .command = c, .name = path };
  GError *error = NULL;
  bool is_eventlog;
  c->input = log_read_context_open (&r, path);
  if (c->input == NULL)
    return NULL;
  if (!log_input_detect_eventlog (c->input, &is_eventlog, &error)) {
    log_read_context_refuse (&r, g_steal_pointer (&c->input), error);
    return NULL;
  }
  const struct log_kind *kind = log_kind_of (is_eventlog);
  const char *lack = selects ? kind->find_lack (&c->selection) : NULL;
  if (kind == &log_kind_mono && c->names != NULL)
    lack = log_kind_lacks_names;
  if (lack == NULL)
    return kind;
  kind->refuse (c, path, lack);
  return NULL;
}

int
log_kind_run (struct log_command *c, const char *path, bool selects,
              const struct log_action actions[LOG_KINDS], void *data)
{
  const struct log_kind *kind = log_kind_detect (c, path, selects);
  if (kind == NULL)
    return CLI_INPUT;
  const struct log_action *action = &actions[kind->index];
  return action->run != NULL ? action->run (data, path) : kind->refuse (c, path, action->lack);
}
