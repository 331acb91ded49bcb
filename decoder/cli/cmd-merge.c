/* cmd-merge.c -- proflog merge */
#include "decoder/analyses/ghc-merge.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/tell.h"
#include "decoder/cli/write-command.h"
#include "decoder/formats/log-input.h"
#include <string.h>

#define WRITE_AT (256 * 1024)

/* One of the logs that are merged. */
struct source {
  const char *name;
  struct log_input *input;
  struct ghc_reader *reader;
  const struct ghc_item *item; /* that comes next; NULL: none does */
  bool is_good;                /* no error was told */
};

struct merging {
  struct log_command *command;
  struct source *sources;
  size_t n_sources;
  struct ghc_merge merge;
  struct ghc_writer *writer;
  GString *out;
};

static void
fail (struct source *s, const GError *error)
{
  const bool has_name = g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT);
  cli_tell ("proflog: %s%s%s", has_name ? "" : s->name, has_name ? "" : ": ", error->message);
  s->is_good = false;
}

/* Gives the reader more, or says that there is none. */
static bool
feed (struct source *s)
{
  GError *error = NULL;
  const uint8_t *bytes;
  size_t length;
  if (!log_input_read (s->input, &bytes, &length, &error)) {
    fail (s, error);
    g_error_free (error);
    return false;
  }
  if (length == 0)
    ghc_reader_finish (s->reader);
  else
    ghc_reader_push (s->reader, bytes, length);
  return true;
}

/* The next item; false at the end, or on an error, which is told. */
static bool
next_item (struct source *s)
{
  enum proflog_result result;
  s->item = NULL;
  while ((result = ghc_reader_next (s->reader, &s->item)) == PROFLOG_NEED_MORE)
    if (!feed (s))
      return false;
  if (result == PROFLOG_ERROR)
    fail (s, ghc_reader_error (s->reader));
  if (result != PROFLOG_EVENT)
    s->item = NULL;
  return result == PROFLOG_EVENT;
}

/* ---- first way through ---- */

/* What was lost of a log. */
struct losses {
  uint64_t places, bytes;
  char *first; /* why */
};

static void
note_damage (struct losses *l, const struct ghc_item *item)
{
  l->bytes += item->damage->skipped;
  if (l->places++ == 0)
    l->first = g_strdup (item->damage->message);
}

static void
tell_losses (struct merging *m, const struct source *s, struct losses *l)
{
  const struct log_input_damage *damage = log_input_damage (s->input);
  if (damage != NULL)
    log_command_warn (m->command, s->name, damage->message);
  if (l->places == 1) {
    log_command_warn (m->command, s->name, l->first);
  } else if (l->places != 0) {
    char *message = g_strdup_printf ("%s; and %" G_GUINT64_FORMAT " more: %" G_GUINT64_FORMAT
                                     " bytes are left out",
                                     l->first, l->places - 1, l->bytes);
    log_command_warn (m->command, s->name, message);
    g_free (message);
  }
  g_free (l->first);
}

static bool
survey (struct merging *m, size_t nth)
{
  struct source *s = &m->sources[nth];
  struct losses losses = { 0 };
  bool has_header = false;
  while (next_item (s)) {
    has_header |= s->item->type == GHC_ITEM_HEADER;
    ghc_merge_survey (&m->merge, nth, s->item);
    if (s->item->type == GHC_ITEM_DAMAGE)
      note_damage (&losses, s->item);
  }
  if (s->is_good && !has_header && losses.first != NULL) {
    cli_tell ("proflog: %s: %s", s->name, losses.first);
    s->is_good = false;
    g_clear_pointer (&losses.first, g_free);
  } else {
    tell_losses (m, s, &losses);
  }
  ghc_reader_free (s->reader);
  s->reader = ghc_reader_new ();
  log_input_rewind (s->input);
  return s->is_good;
}

static void
warn_of_clocks (struct merging *m)
{
  bool has_clock = false;
  for (size_t i = 0; i < m->n_sources; i++)
    has_clock |= m->merge.logs[i].has_clock;
  for (size_t i = 0; m->n_sources > 1 && i < m->n_sources; i++)
    if (!m->merge.logs[i].has_clock && !m->command->quiet)
      cli_tell ("proflog: %s: warning: it does not tell what time it was: its beginning is taken "
                "for that of %s",
                m->sources[i].name, has_clock ? "the first that does" : "all logs");
}

/* ---- second way through ---- */

static bool
write_some (struct merging *m, size_t least)
{
  size_t length;
  const uint8_t *bytes = ghc_writer_take (m->writer, &length);
  g_string_append_len (m->out, (const char *) bytes, (gssize) length);
  if (m->out->len < least)
    return true;
  const bool good = output_write (&m->command->output, m->out);
  g_string_truncate (m->out, 0);
  return good;
}

static bool
copy_event (struct merging *m, size_t nth, GError **error)
{
  struct source *s = &m->sources[nth];
  const struct ghc_item *item = s->item;
  if (item->kind != GHC_BLOCK_MARKER && !item->in_block)
    ghc_writer_end_block (m->writer);
  const struct ghc_event event = ghc_merge_event (&m->merge, nth, item);
  return ghc_writer_event (m->writer, &event, error);
}

/* An event that other logs' may precede: where a block begins, or one that is in none. */
static bool
is_border (const struct source *s)
{
  return s->item->type == GHC_ITEM_EVENT
         && (s->item->kind == GHC_BLOCK_MARKER || !s->item->in_block);
}

/* Goes on to the next border. */
static bool
to_border (struct source *s)
{
  while (next_item (s))
    if (is_border (s))
      return true;
  return s->is_good;
}

/* Copies the event where a log is, and the rest of its block. */
static bool
copy_block (struct merging *m, size_t nth, GError **error)
{
  struct source *s = &m->sources[nth];
  if (!copy_event (m, nth, error))
    return false;
  while (next_item (s)) {
    if (is_border (s))
      return true;
    if (s->item->type == GHC_ITEM_EVENT && !copy_event (m, nth, error))
      return false;
  }
  return s->is_good;
}

/* The log whose next block begins first; n_sources: all are at their ends. */
static size_t
first_of (const struct merging *m)
{
  size_t first = m->n_sources;
  uint64_t earliest = UINT64_MAX;
  for (size_t i = 0; i < m->n_sources; i++) {
    const struct source *s = &m->sources[i];
    const uint64_t time = s->item != NULL ? ghc_merge_time (&m->merge, i, s->item->time) : 0;
    if (s->item != NULL && (first == m->n_sources || time < earliest)) {
      first = i;
      earliest = time;
    }
  }
  return first;
}

static bool
write_blocks (struct merging *m, GError **error)
{
  const GArray *types = m->merge.types.types;
  bool good = ghc_writer_header (m->writer, (const struct ghc_event_type *) (void *) types->data,
                                 types->len, error);
  for (size_t i = 0; good && i < m->n_sources; i++)
    good = to_border (&m->sources[i]);
  for (size_t i; good && (i = first_of (m)) != m->n_sources;)
    good = copy_block (m, i, error) && write_some (m, WRITE_AT);
  if (good)
    ghc_writer_end (m->writer, false);
  return good && write_some (m, 0);
}

/* ---- the command ---- */

static bool
open_sources (struct merging *m, int *status)
{
  GError *error = NULL;
  for (size_t i = 0; i < m->n_sources; i++) {
    struct source *s = &m->sources[i];
    s->name = m->command->logs[i];
    if (!write_command_look (m->command, s->name, status))
      return false;
    s->input = g_steal_pointer (&m->command->input);
    s->name = log_input_name (s->input);
    s->reader = ghc_reader_new ();
    s->is_good = true;
    if (log_input_keep (s->input, &error))
      continue;
    fail (s, error);
    g_error_free (error);
    *status = CLI_INPUT;
    return false;
  }
  return true;
}

static bool
survey_all (struct merging *m)
{
  GError *error = NULL;
  for (size_t i = 0; i < m->n_sources; i++)
    if (!survey (m, i))
      return false;
  if (ghc_merge_plan (&m->merge, &error)) {
    warn_of_clocks (m);
    return true;
  }
  cli_tell ("proflog merge: %s", error->message);
  g_error_free (error);
  return false;
}

static int
merge (struct log_command *c)
{
  struct merging m = { .command = c,
                       .n_sources = g_strv_length (c->logs),
                       .writer = ghc_writer_new (),
                       .out = g_string_new (NULL) };
  GError *error = NULL;
  int status = CLI_INPUT;
  m.sources = g_new0 (struct source, m.n_sources);
  ghc_merge_init (&m.merge, m.n_sources);
  if (open_sources (&m, &status) && survey_all (&m))
    status = write_blocks (&m, &error) ? CLI_OK : CLI_INPUT;
  if (error != NULL)
    cli_tell ("proflog merge: %s", error->message);
  g_clear_error (&error);
  for (size_t i = 0; i < m.n_sources; i++) {
    ghc_reader_free (m.sources[i].reader);
    log_input_close (m.sources[i].input);
  }
  ghc_merge_clear (&m.merge);
  ghc_writer_free (m.writer);
  g_string_free (m.out, TRUE);
  g_free (m.sources);
  if (status != CLI_OK)
    write_command_give_up (c);
  return status;
}

/* Without -o the first word is the output, as it is in ghc-events; with one log behind it, it
 * might be a log to be read. */
static bool
take_output (struct log_command *c)
{
  if (c->path != NULL)
    return true;
  c->path = c->logs[0];
  for (char **log = c->logs; *log != NULL; log++)
    log[0] = log[1];
  return g_strv_length (c->logs) >= 2;
}

int
cmd_merge (int argc, char **argv)
{
  static const struct log_command_sort sort = {
    .name = "merge",
    .parameters = "OUT LOG LOG... | -o OUT LOG...",
    .summary = "make one eventlog of several",
    .description
    = "Capabilities, capability sets, threads, tasks and cost centres of each log get numbers\n"
      "behind those of the logs before it, so that none clash.  Times are aligned by what the "
      "logs\n"
      "tell of the time of day; a log that does not tell it begins with the first.  The header\n"
      "declares the events of all, in their longest form: what an earlier GHC did not write is 0\n"
      "then.  Blocks come in the order of their beginnings, and have one end mark behind them.\n"
      "With -o OUT all other words are logs, and one is enough: of a log in which recording was\n"
      "stopped and started again, which has several headers, it makes one with one header and one\n"
      "end mark, as ghc-events needs it.  What is damaged is left out, with a warning.\n\n"
      "Examples:\n"
      "  proflog merge all.eventlog client.eventlog server.eventlog\n"
      "  proflog merge restarted.eventlog -o whole.eventlog\n"
      "  proflog merge -o - a.eventlog b.eventlog | proflog report -",
    .is_log = true,
  };
  struct log_command command;
  int status;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  if (!take_output (&command)) {
    cli_tell ("proflog merge: OUT and two logs are needed at least, or -o OUT and one log; see "
              "'proflog merge --help'");
    return log_command_finish (&command, CLI_USAGE);
  }
  if (!write_command_open (&command, &status))
    return status;
  status = merge (&command);
  return log_command_finish (&command, status);
}
