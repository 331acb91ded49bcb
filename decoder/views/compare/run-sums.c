/* run-sums.c -- groups runs, and adds up their figures. */
#include "config.h"

#include "decoder/output/short-paths.h"
#include "decoder/views/compare/merges.h"
#include "decoder/views/compare/runs.h"
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
static const struct table_shape sums_shape
    = { .key = "rows", TABLE_SHAPE_COLUMNS (columns), .whole = true, .hides_zeros = true };

/* A row. */
struct run_sum {
  char *name;
  uint64_t logs, sums[FIGURES];
  struct emitter_any exceptions;
  bool has_exceptions; /* a log that can have any */
};

struct run_sums {
  enum view_by by;
  bool has_sums;
  GPtrArray *rows;    /* of struct run_sum */
  GHashTable *places; /* name -> the number of the row, from 1 */
  struct run_merge *merge;
  uint64_t logs, unreadable, damaged;
};

static void
free_sum (void *data)
{
  struct run_sum *sum = data;
  g_free (sum->name);
  g_free (sum);
}

/* How the groups are called. */
static const struct {
  const char *key, *label;
} groups[] = {
  [VIEW_BY_LOG] = { "log", "Log" },     [VIEW_BY_HOST] = { "host", "Host" },
  [VIEW_BY_PID] = { "pid", "Process" }, [VIEW_BY_VERSION] = { "version", "Version" },
  [VIEW_BY_ALL] = { "all", NULL },
};

/* The table of all has no column for its only group. */
static const char *
group_key_of (const struct run_sums *sums)
{
  return sums->by != VIEW_BY_ALL ? groups[sums->by].key : NULL;
}

struct run_sums *
run_sums_new (enum view_by by, const struct run_sums_parts *parts)
{
  struct run_sums *sums = g_new0 (struct run_sums, 1);
  sums->by = by;
  sums->has_sums = parts->has_sums;
  sums->rows = g_ptr_array_new_with_free_func (free_sum);
  sums->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  sums->merge = run_merge_new (parts->sections);
  return sums;
}

void
run_sums_free (struct run_sums *sums)
{
  g_ptr_array_unref (sums->rows);
  g_hash_table_unref (sums->places);
  run_merge_free (sums->merge);
  g_free (sums);
}

/* ---- what a run is counted for ---- */

/* (transfer full) */
static char *
name_of (const struct run_figures *run, enum view_by by)
{
  const uint64_t pid = run_origin_pid (run);
  switch (by) {
  case VIEW_BY_LOG:
    return g_strdup (run->log);
  case VIEW_BY_HOST:
    return run_origin_host (run);
  case VIEW_BY_PID:
    return pid != 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT, pid) : g_strdup (RUN_ORIGIN_UNKNOWN);
  case VIEW_BY_VERSION:
    return run_origin_version (run);
  default:
    return g_strdup ("all logs");
  }
}

/* The place of the row of a run; each log is one, also of a name that is there. */
static guint
place_of (struct run_sums *sums, const struct run_figures *run)
{
  char *name = name_of (run, sums->by);
  const guint found = GPOINTER_TO_UINT (g_hash_table_lookup (sums->places, name));
  if (found != 0 && sums->by != VIEW_BY_LOG) {
    g_free (name);
    return found - 1;
  }
  struct run_sum *sum = g_new0 (struct run_sum, 1);
  sum->name = g_strdup (name);
  g_ptr_array_add (sums->rows, sum);
  g_hash_table_replace (sums->places, name, GUINT_TO_POINTER (sums->rows->len));
  return sums->rows->len - 1;
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

void
run_sums_add (struct run_sums *sums, const struct run_figures *run)
{
  const guint place = place_of (sums, run);
  add_run (g_ptr_array_index (sums->rows, place), run);
  run_merge_add (sums->merge, place, run);
  sums->logs++;
}

void
run_sums_add_unreadable (struct run_sums *sums)
{
  sums->unreadable++;
}

void
run_sums_add_damaged (struct run_sums *sums)
{
  sums->damaged++;
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
put_rows (const struct run_sums *sums, struct emitter *e, const struct view *view)
{
  struct emitter_column shown[G_N_ELEMENTS (columns)];
  struct table_shape shape = sums_shape;
  memcpy (shown, columns, sizeof columns);
  if (sums->by == VIEW_BY_LOG)
    shown[0].label = NULL; /* each is one */
  shape.columns = shown;
  struct table *t = table_new (&shape, view);
  for (guint i = 0; i < sums->rows->len; i++) {
    struct run_sum *s = g_ptr_array_index (sums->rows, i);
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

static void
put_sums (const struct run_sums *sums, struct emitter *e, const struct view *view)
{
  emitter_open (e, "sums", "Sums");
  emitter_text (e, "by", NULL, groups[sums->by].key);
  emitter_number (e, "logs", NULL, sums->logs);
  emitter_number (e, "unreadable", NULL, sums->unreadable);
  emitter_number (e, "damaged", NULL, sums->damaged);
  put_rows (sums, e, view);
  emitter_close (e);
}

void
run_sums_write (struct run_sums *sums, struct emitter *e, const struct view *view)
{
  if (sums->rows->len == 0)
    return;
  if (sums->by == VIEW_BY_LOG && emitter_format_is_for_people (emitter_get_format (e)))
    shorten_names (sums->rows);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < sums->rows->len; i++)
    g_ptr_array_add (names, ((struct run_sum *) g_ptr_array_index (sums->rows, i))->name);
  emitter_begin (e, RUN_SUMS_SCHEMA);
  if (sums->has_sums)
    put_sums (sums, e, view);
  run_merge_write (sums->merge, e, view, group_key_of (sums), groups[sums->by].label, names);
  emitter_end (e);
}

GPtrArray *
run_sums_shapes (const struct run_sums *sums)
{
  GPtrArray *shapes = run_merge_shapes (sums->merge, group_key_of (sums));
  if (sums->has_sums)
    g_ptr_array_add (shapes, (gpointer) &sums_shape);
  return shapes;
}
