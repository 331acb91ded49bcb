/* final-states.c -- the states of a log's threads as a table, with circles of threads that wait
 * for each other. */
#include "config.h"

#include "decoder/core/method-words.h"
#include "decoder/report/final-states.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-reads.h"
#include "decoder/output/table.h"
#include "decoder/stacks/last-stacks.h"

#define STACKS_SCHEMA "proflog.stacks/1"

/* A thread that has not ended. */
struct state_row {
  uint64_t id;
  const char *name;       /* borrowed; NULL: none */
  const char *state;      /* for programs */
  char *text;             /* the same for people; owned */
  struct emitter_any ago; /* how long before the end of the log that was, or began */
  bool has_ago;
  struct emitter_any lock, owned; /* of a wait: the lock, and the id of its owner */
  guint owner;  /* place + 1 of the thread that this one waits for; 0: none is known */
  guint circle; /* from 1 on; 0: it is in none */
  const void *thread;
};

struct state_rows {
  GArray *all; /* of struct state_row */
  guint circles;
};

static void
clear_row (gpointer row)
{
  g_free (((struct state_row *) row)->text);
}

static void
rows_init (struct state_rows *rows)
{
  *rows = (struct state_rows){ .all = g_array_new (FALSE, TRUE, sizeof (struct state_row)) };
  g_array_set_clear_func (rows->all, clear_row);
}

static struct state_row *
row_at (const struct state_rows *rows, guint place)
{
  return &g_array_index (rows->all, struct state_row, place);
}

static void
set_ago (struct state_row *row, uint64_t ns)
{
  row->has_ago = true;
  row->ago = emitter_any_number (EMIT_NS, ns);
}

/* ---- circles ---- */

/* From each thread on to the one that it waits for, until one comes that was there before: if that
 * was on this way, it is in a circle. */
static void
find_circles (struct state_rows *rows)
{
  g_autofree guint *ways = g_new0 (guint, rows->all->len); /* on which each was passed, from 1 on */
  for (guint i = 0; i < rows->all->len; i++) {
    guint at = i + 1;
    while (at != 0 && ways[at - 1] == 0) {
      ways[at - 1] = i + 1;
      at = row_at (rows, at - 1)->owner;
    }
    if (at == 0 || ways[at - 1] != i + 1)
      continue;
    rows->circles++;
    for (; row_at (rows, at - 1)->circle == 0; at = row_at (rows, at - 1)->owner)
      row_at (rows, at - 1)->circle = rows->circles;
  }
}

static void
append_thread (GString *text, const struct state_row *row, bool is_address)
{
  if (row->name != NULL && row->name[0] != 0)
    g_string_append_printf (text, "%s ", row->name);
  g_string_append_printf (
      text, is_address ? "(0x%" G_GINT64_MODIFIER "x)" : "(%" G_GUINT64_FORMAT ")", row->id);
}

/* A line for each circle: its threads, each followed by that which it waits for. */
static void
put_circles (struct emitter *e, const struct state_rows *rows, const char *what, bool is_address)
{
  g_autofree bool *done = g_new0 (bool, rows->circles + 1);
  for (guint i = 0; i < rows->all->len; i++) {
    guint at = i, n = 0;
    if (row_at (rows, i)->circle == 0 || done[row_at (rows, i)->circle])
      continue;
    done[row_at (rows, i)->circle] = true;
    g_autoptr (GString) line = g_string_new (NULL);
    do {
      append_thread (line, row_at (rows, at), is_address);
      g_string_append (line, " waits for ");
      at = row_at (rows, at)->owner - 1;
      n++;
    } while (at != i);
    append_thread (line, row_at (rows, i), is_address);
    g_autofree char *note = g_strdup_printf ("%s of %u threads: %s", what, n, line->str);
    emitter_note (e, note);
  }
}

/* ---- output ---- */

struct states_writer {
  struct log_command *command;
  const char *path;
};

/* The facts of the log before its threads. */
static struct emitter *
begin_output (const struct states_writer *w, GString *text, uint64_t duration_ns)
{
  struct emitter *const e = log_command_new_emitter (w->command, text);
  emitter_set_style (e, &(const struct emitter_style){ .has_units = true });
  emitter_begin (e, STACKS_SCHEMA);
  emitter_open (e, "log", "Log");
  emitter_text (e, "name", "Name", w->path);
  emitter_ns (e, "duration_ns", "Duration", duration_ns);
  emitter_close (e);
  return e;
}

static int
end_output (const struct states_writer *w, struct emitter *e, GString *text, int status)
{
  emitter_end (e);
  emitter_free (e);
  if (!output_write (&w->command->output, text))
    status = CLI_INPUT;
  g_string_free (text, TRUE);
  return status;
}

/* ---- Mono ---- */

static const struct emitter_column mono_columns[] = { { "thread", "Thread", EMIT_ADDRESS },
                                                      { "name", "Name", EMIT_TEXT },
                                                      { "ago_ns", "Before the end", EMIT_ANY },
                                                      { NULL, "Did", EMIT_TEXT },
                                                      { "state", NULL, EMIT_TEXT },
                                                      { "event", NULL, EMIT_TEXT },
                                                      { "lock", NULL, EMIT_ANY },
                                                      { "lock_class", NULL, EMIT_TEXT },
                                                      { "owner", NULL, EMIT_ANY },
                                                      { "circle", NULL, EMIT_NUMBER } };
static const struct table_shape mono_shape = { .key = "threads",
                                               .title = "Threads at the end",
                                               TABLE_SHAPE_COLUMNS (mono_columns),
                                               .whole = true,
                                               .details = TABLE_KEYS ("frames") };

struct mono_states {
  struct last_stacks last;
  struct state_rows rows;
};

static void
take_mono_item (void *data, const struct mlpd_item *item, GString *text)
{
  (void) text;
  last_stacks_item (data, item);
}

static void
take_mono_damage (void *data, bool truncated, const char *message, GString *text)
{
  (void) truncated;
  (void) message;
  (void) text;
  ((struct last_stacks *) data)->has_loss = true;
}

static char *
describe_lock (const struct last_stacks *s, const struct last_stack *stack)
{
  const struct last_stack *const owner = last_stacks_owner (s, stack);
  GString *const text = g_string_new (NULL);
  g_string_printf (text, "waits for the lock 0x%" G_GINT64_MODIFIER "x (%s), owner ",
                   stack->thread->wait_object,
                   stack->lock != NULL ? stack->lock : "class not in the log");
  if (stack->thread->wait_owner == 0)
    g_string_append (text, "unknown");
  else if (owner != NULL && owner->thread->name != NULL)
    g_string_append_printf (text, "%s (0x%" G_GINT64_MODIFIER "x) when it began",
                            owner->thread->name, stack->thread->wait_owner);
  else
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x when it began",
                            stack->thread->wait_owner);
  return g_string_free (text, FALSE);
}

static void
add_mono_row (struct mono_states *m, const struct last_stack *stack)
{
  const struct last_stacks *const s = &m->last;
  struct state_row row = { .id = stack->thread->id, .name = stack->thread->name, .thread = stack };
  const enum wait_kind kind = last_stacks_wait (s, stack);
  if (last_stacks_waits_for_lock (s, stack)) {
    row.state = wait_kind_name (WAIT_LOCK);
    row.text = describe_lock (s, stack);
    set_ago (&row, span_ns (stack->thread->wait_start, s->last));
  } else if (stack->event == LAST_NONE) {
    row.state = "unseen";
    row.text = g_strdup ("not seen");
  } else {
    row.state = !stack->waits ? "ran" : wait_kind_name (kind != WAIT_NONE ? kind : WAIT_OTHER);
    row.text = g_strdup (stack->waits ? wait_kind_sentence (kind) : "ran");
    set_ago (&row, span_ns (stack->time, s->last));
  }
  g_array_append_val (m->rows.all, row);
}

static void
find_mono_owners (struct mono_states *m)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < m->rows.all->len; i++)
    g_hash_table_insert (places, (gpointer) row_at (&m->rows, i)->thread, GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < m->rows.all->len; i++) {
    struct state_row *const row = row_at (&m->rows, i);
    if (last_stacks_waits_for_lock (&m->last, row->thread)
        && !last_stacks_has_limit (&m->last, row->thread))
      row->owner = GPOINTER_TO_UINT (
          g_hash_table_lookup (places, last_stacks_owner (&m->last, row->thread)));
  }
}

static void
put_frames (const void *data, uint64_t place, struct emitter *e)
{
  const struct mono_states *const m = data;
  g_autoptr (GPtrArray) names
      = last_stacks_names (&m->last, row_at (&m->rows, (guint) place)->thread);
  for (guint i = 0; emitter_format_is_for_people (emitter_get_format (e)) && i < names->len; i++) {
    g_autofree char *name = names->pdata[i];
    names->pdata[i] = method_words (name, true);
  }
  emitter_lines (e, "frames", names);
}

static void
put_mono_rows (struct emitter *e, struct mono_states *m)
{
  static const struct view view = { .limit = 0 };
  struct table *const t = table_new (&mono_shape, &view);
  table_set_detail (t, put_frames, m);
  for (guint i = 0; i < m->rows.all->len; i++) {
    struct state_row *const row = row_at (&m->rows, i);
    const struct last_stack *const stack = row->thread;
    const bool is_lock = last_stacks_waits_for_lock (&m->last, stack);
    row->lock = emitter_any_number (EMIT_ADDRESS, stack->thread->wait_object);
    row->owned = emitter_any_number (EMIT_ADDRESS, stack->thread->wait_owner);
    table_add_id (t, i,
                  (const union emitter_value[]){
                      { .number = row->id },
                      { .text = row->name },
                      { .any = row->has_ago ? &row->ago : NULL },
                      { .text = row->text },
                      { .text = row->state },
                      { .text = last_stacks_event_name (stack->event) },
                      { .any = is_lock ? &row->lock : NULL },
                      { .text = is_lock ? stack->lock : NULL },
                      { .any = is_lock && stack->thread->wait_owner != 0 ? &row->owned : NULL },
                      { .number = row->circle } });
  }
  table_write (t, e);
}

static int
write_mono (void *data, const char *path)
{
  static const struct log_handler handler = { .item = take_mono_item, .damage = take_mono_damage };
  const struct states_writer *const w = data;
  struct mono_states m;
  last_stacks_init (&m.last);
  rows_init (&m.rows);
  int status = log_command_read (w->command, path, &handler, &m.last);
  if (status == CLI_OK) {
    g_autoptr (GPtrArray) all = last_stacks_all (&m.last);
    for (guint i = 0; i < all->len; i++)
      add_mono_row (&m, all->pdata[i]);
    find_mono_owners (&m);
    find_circles (&m.rows);
    GString *const text = g_string_new (NULL);
    struct emitter *const e = begin_output (w, text, span_ns (m.last.first, m.last.last));
    put_circles (e, &m.rows, "Possible deadlock", true);
    put_mono_rows (e, &m);
    status = end_output (w, e, text, status);
  }
  g_array_unref (m.rows.all);
  last_stacks_clear (&m.last);
  return status;
}

/* ---- GHC ---- */

static const struct emitter_column ghc_columns[] = { { "thread", "Thread", EMIT_NUMBER },
                                                     { "name", "Label", EMIT_TEXT },
                                                     { "ago_ns", "Before the end", EMIT_ANY },
                                                     { NULL, "Did", EMIT_TEXT },
                                                     { "state", NULL, EMIT_TEXT },
                                                     { "owner", NULL, EMIT_ANY },
                                                     { "circle", NULL, EMIT_NUMBER } };
static const struct table_shape ghc_shape = {
  .key = "threads", .title = "Threads at the end", TABLE_SHAPE_COLUMNS (ghc_columns), .whole = true
};

struct ghc_states {
  struct ghc_threads threads;
  struct state_rows rows;
  bool has_time;
  uint64_t first;
};

static bool
take_ghc_item (void *data, const struct ghc_item *item)
{
  struct ghc_states *const g = data;
  if (item->type == GHC_ITEM_EVENT && !g->has_time) {
    g->has_time = true;
    g->first = item->time;
  }
  ghc_threads_item (&g->threads, item);
  return true;
}

/* "the value that thread 5 (label) computes" */
static char *
describe_black_hole (const struct ghc_states *g, const struct ghc_thread *thread)
{
  const char *const label = ghc_threads_label (&g->threads, thread->owner);
  if (thread->owner == 0)
    return g_strdup ("waits for a value that another thread computes, owner unknown");
  return g_strdup_printf ("waits for a value that thread %u%s%s%s computes", thread->owner,
                          label != NULL ? " (" : "", label != NULL ? label : "",
                          label != NULL ? ")" : "");
}

static char *
describe_ghc (const struct ghc_states *g, const struct ghc_thread *thread)
{
  static const char *const texts[GHC_WAITS] = {
    [GHC_WAIT_CPU] = "could run, waits for a capability",
    [GHC_WAIT_MVAR] = "waits for an MVar",
    [GHC_WAIT_READ_MVAR] = "waits to read an MVar",
    [GHC_WAIT_READ] = "waits to read a file",
    [GHC_WAIT_WRITE] = "waits to write to a file",
    [GHC_WAIT_DELAY] = "sleeps",
    [GHC_WAIT_STM] = "waits in STM",
    [GHC_WAIT_FOREIGN_CALL] = "is in a foreign call",
    [GHC_WAIT_THROW_TO] = "waits to throw an exception to a thread",
    [GHC_WAIT_OTHER] = "waits",
  };
  if (thread->state == GHC_THREAD_UNKNOWN)
    return g_strdup ("not known");
  if (thread->state == GHC_THREAD_RUNS)
    return g_strdup ("runs");
  return thread->wait == GHC_WAIT_BLACK_HOLE ? describe_black_hole (g, thread)
                                             : g_strdup (texts[thread->wait]);
}

static void
add_ghc_row (struct ghc_states *g, const struct ghc_thread *thread)
{
  struct state_row row = { .id = thread->id, .name = thread->label, .thread = thread };
  row.text = describe_ghc (g, thread);
  row.state = thread->state == GHC_THREAD_UNKNOWN ? "unknown"
              : thread->state == GHC_THREAD_RUNS  ? "runs"
                                                  : ghc_wait_name (thread->wait);
  if (thread->state != GHC_THREAD_UNKNOWN)
    set_ago (&row, span_ns (thread->since, g->threads.last));
  g_array_append_val (g->rows.all, row);
}

/* The thread that owns the black hole that this one waits for; 0: none is known. */
static uint32_t
owner_of (const struct ghc_thread *thread)
{
  return thread->state == GHC_THREAD_WAITS && thread->wait == GHC_WAIT_BLACK_HOLE ? thread->owner
                                                                                  : 0;
}

static void
find_ghc_owners (struct ghc_states *g)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < g->rows.all->len; i++)
    g_hash_table_insert (places, GUINT_TO_POINTER ((guint) row_at (&g->rows, i)->id),
                         GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < g->rows.all->len; i++) {
    const uint32_t owner = owner_of (row_at (&g->rows, i)->thread);
    if (owner != 0)
      row_at (&g->rows, i)->owner
          = GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (owner)));
  }
}

static void
put_ghc_rows (struct emitter *e, const struct ghc_states *g)
{
  static const struct view view = { .limit = 0 };
  struct table *const t = table_new (&ghc_shape, &view);
  for (guint i = 0; i < g->rows.all->len; i++) {
    struct state_row *const row = row_at (&g->rows, i);
    const uint32_t owner = owner_of (row->thread);
    row->owned = emitter_any_number (EMIT_NUMBER, owner);
    table_add (t, (const union emitter_value[]){ { .number = row->id },
                                                 { .text = row->name },
                                                 { .any = row->has_ago ? &row->ago : NULL },
                                                 { .text = row->text },
                                                 { .text = row->state },
                                                 { .any = owner != 0 ? &row->owned : NULL },
                                                 { .number = row->circle } });
  }
  table_write (t, e);
}

static int
write_ghc (void *data, const char *path)
{
  const struct states_writer *const w = data;
  struct ghc_states g = { .has_time = false };
  bool has_header;
  ghc_threads_init (&g.threads, 0, UINT64_MAX);
  rows_init (&g.rows);
  int status = log_command_follow_threads (w->command, path, take_ghc_item, &g, &has_header);
  if (status == CLI_OK && has_header) {
    g_autoptr (GPtrArray) all = ghc_threads_all (&g.threads);
    for (guint i = 0; i < all->len; i++)
      if (((const struct ghc_thread *) all->pdata[i])->state != GHC_THREAD_FINISHED)
        add_ghc_row (&g, all->pdata[i]);
    find_ghc_owners (&g);
    find_circles (&g.rows);
    GString *const text = g_string_new (NULL);
    struct emitter *const e = begin_output (w, text, span_ns (g.first, g.threads.last));
    if (all->len == 0)
      emitter_note (e, "No thread has an event: the runtime writes them with +RTS -ls, when its "
                       "buffers are full, or with --eventlog-flush-interval (from GHC 9.2 on).");
    put_circles (e, &g.rows, "Deadlock", false);
    put_ghc_rows (e, &g);
    status = end_output (w, e, text, status);
  }
  g_array_unref (g.rows.all);
  ghc_threads_clear (&g.threads);
  return status;
}

int
final_states_write (struct log_command *command, const char *path)
{
  static const struct log_action actions[]
      = { [LOG_MONO] = { .run = write_mono }, [LOG_GHC] = { .run = write_ghc } };
  struct states_writer w = { .command = command, .path = path };
  return log_kind_run (command, path, false, actions, &w);
}
