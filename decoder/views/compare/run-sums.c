/* run-sums.c -- groups runs, and adds up their figures. */
#include "config.h"

#include "decoder/views/compare/run-sums.h"
#include "decoder/output/short-paths.h"
#include <string.h>

enum figure {
  DURATION,
  EVENTS,
  ALLOCATED,
  COLLECTIONS,
  PAUSES,
  PAUSE_MAX,
  EXCEPTIONS,
  LOCK_WAITS,
  FIGURES,
};

/* Where reports of Mono logs and of eventlogs have a figure: NULL: nowhere. */
static const struct {
  const char *mono, *ghc;
  bool is_max;
} figures[FIGURES] = {
  [DURATION] = { "log.duration_ns", "log.duration_ns", false },
  [EVENTS] = { "log.events", "log.events", false },
  [ALLOCATED] = { "allocations.bytes", "heap.allocated_bytes", false },
  [COLLECTIONS] = { "gc.collections", "gc.collections", false },
  [PAUSES] = { "gc.pause_total_ns", "gc.pause_total_ns", false },
  [PAUSE_MAX] = { "gc.pause_max_ns", "gc.pause_max_ns", true },
  [EXCEPTIONS] = { "exceptions.throws", NULL, false },
  [LOCK_WAITS] = { "monitors.wait_total_ns", NULL, false },
};

static const struct emitter_column columns[] = {
  { "logs", "Logs", EMIT_NUMBER },
  { "duration_ns", "Time, ms", EMIT_NS },
  { "events", "Events", EMIT_NUMBER },
  { "allocated_bytes", "Allocated bytes", EMIT_NUMBER },
  { "collections", "GCs", EMIT_NUMBER },
  { "pause_total_ns", "Pauses, ms", EMIT_NS },
  { "pause_max_ns", "Max, ms", EMIT_NS },
  { "exceptions", "Exceptions", EMIT_ANY },
  { "lock_wait_ns", "Lock waits, ms", EMIT_NS },
  { "name", "Name", EMIT_TEXT },
};
const struct table_shape run_sums_shape
    = { .key = "rows", TABLE_SHAPE_COLUMNS (columns), .whole = true, .hides_zeros = true };

/* A row. */
struct run_sum {
  char *name;
  uint64_t logs, sums[FIGURES];
  struct emitter_any exceptions;
  bool has_exceptions; /* a log that can have any */
};

static void
free_sum (void *data)
{
  struct run_sum *sum = data;
  g_free (sum->name);
  g_free (sum);
}

/* ---- what a run is counted for ---- */

static char *
version_of (const struct run_figures *run)
{
  const struct emitter_record_value *v
      = emitter_record_value (run->record, run->is_eventlog ? "log.runtime" : "log.data_version");
  if (v == NULL || v->type == EMIT_ANY || (run->is_eventlog && v->value.text == NULL))
    return g_strdup ("unknown");
  return run->is_eventlog
             ? g_strdup (v->value.text)
             : g_strdup_printf ("Mono log, data version %" G_GUINT64_FORMAT, v->value.number);
}

static char *
pid_of (const struct run_figures *run)
{
  const struct emitter_record_value *v = emitter_record_value (run->record, "log.pid");
  if (v == NULL || v->type != EMIT_NUMBER || v->value.number == 0)
    return g_strdup ("unknown");
  return g_strdup_printf ("%" G_GUINT64_FORMAT, v->value.number);
}

/* (transfer full) */
static char *
name_of (const struct run_figures *run, enum view_by by)
{
  switch (by) {
  case VIEW_BY_LOG:
    return g_strdup (run->log);
  case VIEW_BY_PID:
    return pid_of (run);
  case VIEW_BY_VERSION:
    return version_of (run);
  default:
    return g_strdup ("unknown"); /* logs do not state their machine */
  }
}

static struct run_sum *
sum_of (GPtrArray *sums, const struct run_figures *run, enum view_by by)
{
  g_autofree char *name = name_of (run, by);
  for (guint i = 0; by != VIEW_BY_LOG && i < sums->len; i++)
    if (strcmp (((const struct run_sum *) g_ptr_array_index (sums, i))->name, name) == 0)
      return g_ptr_array_index (sums, i);
  struct run_sum *sum = g_new0 (struct run_sum, 1);
  sum->name = g_steal_pointer (&name);
  g_ptr_array_add (sums, sum);
  return sum;
}

/* ---- figures ---- */

/* The waits of an eventlog that are for locks. */
static uint64_t
lock_waits (const struct run_figures *run)
{
  const struct emitter_record_table *t = emitter_record_table (run->record, "wait_kinds");
  uint64_t ns = 0;
  if (t == NULL)
    return 0;
  const guint kind = emitter_record_column (t, "kind"),
              total = emitter_record_column (t, "total_ns");
  for (guint row = 0;
       kind < t->columns->len && total < t->columns->len && row < emitter_record_rows (t); row++)
    if (g_strcmp0 (emitter_record_cell (t, row, kind)->value.text, "lock") == 0)
      ns += emitter_record_cell (t, row, total)->value.number;
  return ns;
}

static uint64_t
figure_of (const struct run_figures *run, enum figure figure)
{
  const char *const key = run->is_eventlog ? figures[figure].ghc : figures[figure].mono;
  const struct emitter_record_value *v
      = key != NULL ? emitter_record_value (run->record, key) : NULL;
  if (figure == LOCK_WAITS && run->is_eventlog)
    return lock_waits (run);
  return v != NULL && emitter_record_is_amount (v->type) ? v->value.number : 0;
}

static void
add_run (struct run_sum *sum, const struct run_figures *run)
{
  sum->logs++;
  sum->has_exceptions |= !run->is_eventlog;
  for (guint i = 0; i < FIGURES; i++) {
    const uint64_t figure = figure_of (run, (enum figure) i);
    sum->sums[i] = figures[i].is_max ? MAX (sum->sums[i], figure) : sum->sums[i] + figure;
  }
}

/* ---- the table ---- */

/* People see logs by their base names where they differ in them. */
static void
shorten_names (const GPtrArray *sums)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < sums->len; i++)
    g_ptr_array_add (names, ((struct run_sum *) g_ptr_array_index (sums, i))->name);
  g_autoptr (GPtrArray) shorter = short_paths (names);
  for (guint i = 0; i < sums->len; i++) {
    struct run_sum *sum = g_ptr_array_index (sums, i);
    g_free (sum->name);
    sum->name = g_strdup (shorter->pdata[i]);
  }
}

static void
put_rows (struct emitter *e, const GPtrArray *sums, const struct view *view)
{
  struct emitter_column shown[G_N_ELEMENTS (columns)];
  struct table_shape shape = run_sums_shape;
  memcpy (shown, columns, sizeof columns);
  if (view->by == VIEW_BY_LOG)
    shown[0].label = NULL; /* each is one */
  shape.columns = shown;
  struct table *t = table_new (&shape, view);
  if (view->by == VIEW_BY_LOG && emitter_format_is_for_people (emitter_get_format (e)))
    shorten_names (sums);
  for (guint i = 0; i < sums->len; i++) {
    struct run_sum *s = g_ptr_array_index (sums, i);
    s->exceptions = emitter_any_number (EMIT_NUMBER, s->sums[EXCEPTIONS]);
    table_add (t, (const union emitter_value[]){
                      { .number = s->logs },
                      { .number = s->sums[DURATION] },
                      { .number = s->sums[EVENTS] },
                      { .number = s->sums[ALLOCATED] },
                      { .number = s->sums[COLLECTIONS] },
                      { .number = s->sums[PAUSES] },
                      { .number = s->sums[PAUSE_MAX] },
                      { .any = s->has_exceptions ? &s->exceptions : NULL },
                      { .number = s->sums[LOCK_WAITS] },
                      { .text = s->name },
                  });
  }
  table_write (t, e);
}

void
run_sums_write (struct emitter *e, const GPtrArray *runs, const struct view *view)
{
  static const char *const keys[] = { [VIEW_BY_LOG] = "log",
                                      [VIEW_BY_HOST] = "host",
                                      [VIEW_BY_PID] = "pid",
                                      [VIEW_BY_VERSION] = "version" };
  g_autoptr (GPtrArray) sums = g_ptr_array_new_with_free_func (free_sum);
  for (guint i = 0; i < runs->len; i++) {
    const struct run_figures *run = g_ptr_array_index (runs, i);
    add_run (sum_of (sums, run, view->by), run);
  }
  emitter_begin (e, RUN_SUMS_SCHEMA);
  emitter_open (e, "sums", "Sums");
  emitter_text (e, "by", NULL, keys[view->by]);
  if (view->by == VIEW_BY_HOST)
    emitter_note (e, "Logs do not state the machine on which they were recorded.");
  put_rows (e, sums, view);
  emitter_close (e);
  emitter_end (e);
}
