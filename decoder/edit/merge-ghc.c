/* merge-ghc.c -- one eventlog of several. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/edit/edit.h"
#include "decoder/log/log-open.h"
#include "decoder/command/message.h"
#include "decoder/ghc/edit/ghc-merge.h"
#include "decoder/ghc/ghc-losses.h"

#define WRITE_AT (256 * 1024)

/* One of the logs that are merged. */
struct source {
  const char *name;
  struct log_input *input; /* borrowed */
  struct ghc_reader *reader;
  const struct ghc_item *item; /* that comes next; NULL: none does */
  bool is_good;                /* no error was reported */
  bool is_damaged;             /* damage of the file was reported */
  bool has_hole;               /* damaged bytes are left out */
};

struct merge_job {
  struct log_command *command;
  struct source *sources;
  size_t n_sources;
  struct ghc_merge merge;
  struct ghc_writer *writer;
  uint64_t latest; /* time of an event */
  GString *out;
};

static void
fail (struct source *s, const GError *error)
{
  const bool has_name = g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT);
  cli_message ("proflog: %s%s%s", has_name ? "" : s->name, has_name ? "" : ": ", error->message);
  s->is_good = false;
}

/* Gives the reader more, or states that there is none. */
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

/* The next item; false at the end, or on an error, which is reported. */
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

/* The losses of a log. */
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

/* Of compression, or a failure of reading; once. */
static void
warn_of_damage (struct merge_job *m, struct source *s)
{
  const struct log_file_damage *damage = log_input_damage (s->input);
  if (damage != NULL && !s->is_damaged)
    log_command_warn (m->command, s->name, damage->message);
  s->is_damaged = damage != NULL;
}

static void
warn_of_losses (struct merge_job *m, struct source *s, struct losses *l)
{
  warn_of_damage (m, s);
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
survey (struct merge_job *m, size_t nth)
{
  struct source *s = &m->sources[nth];
  struct losses losses = { 0 };
  bool has_header = false;
  while (next_item (s)) {
    has_header |= s->item->type == GHC_ITEM_HEADER;
    ghc_merge_survey (&m->merge, nth, s->item);
    if (s->item->type == GHC_ITEM_DAMAGE)
      note_damage (&losses, s->item);
    s->has_hole |= ghc_damage_is_left_out (s->item);
  }
  if (s->is_good && !has_header && losses.first != NULL) {
    cli_message ("proflog: %s: %s", s->name, losses.first);
    s->is_good = false;
    g_clear_pointer (&losses.first, g_free);
  } else {
    warn_of_losses (m, s, &losses);
  }
  ghc_reader_free (s->reader);
  s->reader = ghc_reader_new ();
  log_input_rewind (s->input);
  return s->is_good;
}

static void
warn_of_clocks (struct merge_job *m)
{
  bool has_clock = false;
  for (size_t i = 0; i < m->n_sources; i++)
    has_clock |= m->merge.logs[i].has_clock;
  for (size_t i = 0; m->n_sources > 1 && i < m->n_sources; i++)
    if (!m->merge.logs[i].has_clock && !m->command->quiet)
      cli_message ("proflog: %s: warning: it has no time of day: its beginning is aligned "
                   "with that of %s",
                   m->sources[i].name, has_clock ? "the first log that has one" : "all logs");
}

/* ---- second way through ---- */

static bool
write_some (struct merge_job *m, size_t least)
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
copy_event (struct merge_job *m, size_t nth, GError **error)
{
  struct source *s = &m->sources[nth];
  const struct ghc_item *item = s->item;
  if (!ghc_merge_includes (&m->merge, nth, item))
    return true;
  if (item->kind != GHC_BLOCK_MARKER && !item->in_block)
    ghc_writer_end_block (m->writer);
  const struct ghc_event event = ghc_merge_event (&m->merge, nth, item);
  if (item->kind != GHC_BLOCK_MARKER)
    m->latest = MAX (m->latest, event.time);
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
copy_block (struct merge_job *m, size_t nth, GError **error)
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
first_of (const struct merge_job *m)
{
  size_t first = m->n_sources;
  uint64_t earliest = UINT64_MAX;
  for (size_t i = 0; i < m->n_sources; i++) {
    const struct source *s = &m->sources[i];
    const uint64_t time = s->item != NULL ? ghc_merge_time (&m->merge, i, s->item->time) : 0;
    if (s->item != NULL
        && (first == m->n_sources || time < earliest
            || (time == earliest && ghc_merge_precedes (&m->merge, i, first)))) {
      first = i;
      earliest = time;
    }
  }
  return first;
}

/* States that one of the logs is damaged. */
static bool
write_hole (struct merge_job *m, const struct ghc_event_type *types, size_t n_types, GError **error)
{
  bool has_hole = false;
  for (size_t i = 0; i < m->n_sources; i++)
    has_hole |= m->sources[i].has_hole;
  return !has_hole || !ghc_has_messages (types, n_types)
         || ghc_losses_write_damage (m->writer, m->latest, error);
}

static bool
write_blocks (struct merge_job *m, GError **error)
{
  const GArray *all = m->merge.types.types;
  const struct ghc_event_type *types = (const struct ghc_event_type *) (void *) all->data;
  bool good = ghc_writer_header (m->writer, types, all->len, error);
  for (size_t i = 0; good && i < m->n_sources; i++)
    good = to_border (&m->sources[i]);
  for (size_t i; good && (i = first_of (m)) != m->n_sources;)
    good = copy_block (m, i, error) && write_some (m, WRITE_AT);
  good = good && write_hole (m, types, all->len, error);
  if (good)
    ghc_writer_end (m->writer, false);
  return good && write_some (m, 0);
}

/* ---- all of it ---- */

static void
open_sources (struct merge_job *m, const struct merge_log *logs)
{
  for (size_t i = 0; i < m->n_sources; i++)
    m->sources[i] = (struct source){
      .name = logs[i].name, .input = logs[i].input, .reader = ghc_reader_new (), .is_good = true
    };
}

static bool
survey_sources (struct merge_job *m)
{
  GError *error = NULL;
  for (size_t i = 0; i < m->n_sources; i++)
    if (!survey (m, i))
      return false;
  if (ghc_merge_plan (&m->merge, &error)) {
    warn_of_clocks (m);
    return true;
  }
  cli_message ("proflog merge: %s", error->message);
  g_error_free (error);
  return false;
}

int
merge_eventlogs (struct log_command *c, struct merge_log *logs, size_t n_logs)
{
  struct merge_job m = {
    .command = c, .n_sources = n_logs, .writer = ghc_writer_new (), .out = g_string_new (NULL)
  };
  GError *error = NULL;
  int status = CLI_INPUT;
  m.sources = g_new0 (struct source, m.n_sources);
  ghc_merge_init (&m.merge, m.n_sources);
  open_sources (&m, logs);
  if (survey_sources (&m))
    status = write_blocks (&m, &error) ? CLI_OK : CLI_INPUT;
  if (error != NULL)
    cli_message ("proflog merge: %s", error->message);
  g_clear_error (&error);
  for (size_t i = 0; i < m.n_sources; i++) {
    if (status == CLI_OK)
      warn_of_damage (&m, &m.sources[i]);
    ghc_reader_free (m.sources[i].reader);
  }
  ghc_merge_clear (&m.merge);
  ghc_writer_free (m.writer);
  g_string_free (m.out, TRUE);
  g_free (m.sources);
  return status;
}
