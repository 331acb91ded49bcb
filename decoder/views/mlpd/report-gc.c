/* report-gc.c -- collections and pauses by generation, utilisation, the size of the heap, handles.
 */
#include "config.h"

#include "decoder/views/heap-sizes-table.h"
#include "decoder/views/histogram-rows.h"
#include "decoder/views/mlpd/gc-objects.h"
#include "decoder/views/mlpd/report.h"

static const struct emitter_column generation_columns[] = {
  { "generation", "Generation", EMIT_NUMBER }, { "collections", "Collections", EMIT_NUMBER },
  { "total_ns", "Total ms", EMIT_NS },         { "max_ns", "Max ms", EMIT_NS },
  { "pauses", "Pauses", EMIT_NUMBER },         { "pause_total_ns", "Paused ms", EMIT_NS },
  { "pause_max_ns", "Pause max ms", EMIT_NS },
};
static const struct table_shape generations
    = { .key = "generations", TABLE_SHAPE_COLUMNS (generation_columns), .whole = true };

static void
put_generations (const struct report *r)
{
  struct table *t = section_table (r, &generations);
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    const struct gc_generation *g = &r->s->gc.generations[i];
    if (g->collections == 0 && g->pauses.count == 0)
      continue;
    SECTION_ROW (t, { .number = i }, { .number = g->collections }, { .number = g->total_ns },
                 { .number = g->max_ns }, { .number = g->pauses.count },
                 { .number = g->pauses.total_ns }, { .number = g->pauses.max_ns });
  }
  table_write (t, r->e);
}

/* ---- pauses ---- */

static const struct emitter_column pause_columns[] = { { "generation", "Generation", EMIT_NUMBER },
                                                       { "count", "Pauses", EMIT_NUMBER },
                                                       { "avg_ns", "Avg ms", EMIT_NS },
                                                       { "p50_ns", "50% ms", EMIT_NS },
                                                       { "p90_ns", "90% ms", EMIT_NS },
                                                       { "p99_ns", "99% ms", EMIT_NS },
                                                       { "max_ns", "Max ms", EMIT_NS } };
static const struct table_shape generation_pauses
    = { .key = "generation_pauses", TABLE_SHAPE_COLUMNS (pause_columns), .whole = true };

static void
put_pauses (const struct report *r)
{
  struct table *t = section_table (r, &generation_pauses);
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    const struct durations *d = &r->s->gc.generations[i].pauses;
    if (d->count != 0)
      SECTION_ROW (t, { .number = i }, { .number = d->count }, { .number = durations_mean (d) },
                   { .number = durations_at (d, 500) }, { .number = durations_at (d, 900) },
                   { .number = durations_at (d, 990) }, { .number = d->max_ns });
  }
  table_write (t, r->e);
}

static const struct emitter_column histogram_columns[]
    = { { "generation", "Generation", EMIT_NUMBER }, HISTOGRAM_COLUMNS };
static const struct table_shape histogram = { .key = "pause_histogram",
                                              .title = "Pauses by length",
                                              TABLE_SHAPE_COLUMNS (histogram_columns),
                                              .whole = true };

static void
put_histogram (const struct report *r)
{
  struct table *t = section_table (r, &histogram);
  for (guint i = 0; i < GC_GENERATIONS; i++)
    histogram_add_rows (t, &(const union emitter_value){ .number = i },
                        &r->s->gc.generations[i].pauses);
  table_write (t, r->e);
}

static const struct emitter_column phase_columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                       { "avg_ns", "Avg ms", EMIT_NS },
                                                       { "max_ns", "Max ms", EMIT_NS },
                                                       { "count", "Count", EMIT_NUMBER },
                                                       { "phase", "Phase", EMIT_TEXT } };
static const struct table_shape phases = { .key = "pause_phases",
                                           .title = "Phases of pauses",
                                           TABLE_SHAPE_COLUMNS (phase_columns),
                                           .whole = true };

static void
put_phases (const struct report *r)
{
  static const char *const names[GC_PHASES] = { [GC_PHASE_STOP] = "stop the threads",
                                                [GC_PHASE_COLLECT] = "collect",
                                                [GC_PHASE_RESTART] = "restart the threads" };
  struct table *t = section_table (r, &phases);
  for (int i = 0; i < GC_PHASES; i++) {
    const struct gc_phase_sum *sum = &r->s->gc.phases[i];
    if (sum->count != 0)
      SECTION_ROW (t, { .number = sum->total_ns }, { .number = sum->total_ns / sum->count },
                   { .number = sum->max_ns }, { .number = sum->count }, { .text = names[i] });
  }
  table_write (t, r->e);
}

/* Those of all generations, for programs. */
static void
put_all_pauses (const struct report *r)
{
  struct durations all = { .count = 0 };
  uint64_t collections = 0;
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    collections += r->s->gc.generations[i].collections;
    durations_merge (&all, &r->s->gc.generations[i].pauses);
  }
  emitter_number (r->e, "collections", NULL, collections);
  histogram_put_pauses (r->e, &all);
  durations_clear (&all);
}

/* ---- utilisation ---- */

/* Of fewer, percentiles and windows say no more than their number and the longest. */
#define FEW_PAUSES 5

static const struct emitter_column utilisation_columns[]
    = { { "window_ns", "Window ms", EMIT_NS },
        { "paused_ns", "Paused ms", EMIT_NS },
        { "permille", "Least %", EMIT_SHARE } };
static const struct table_shape utilisation = { .key = "utilisation",
                                                .title = "Minimum mutator utilisation",
                                                TABLE_SHAPE_COLUMNS (utilisation_columns),
                                                .whole = true };

static void
put_utilisation (const struct report *r, uint64_t pauses, uint64_t selected_ns)
{
  struct table *t = section_table (r, &utilisation);
  for (unsigned i = UTILISATION_FIRST; i <= UTILISATION_LAST && pauses != 0;
       i += UTILISATION_STEP) {
    const uint64_t window = utilisation_window_ns[i];
    const uint64_t paused = utilisation_paused (&r->s->gc.utilisation, i);
    if (window <= selected_ns)
      SECTION_ROW (t, { .number = window }, { .number = paused },
                   { .number = utilisation_left (paused, window) });
  }
  table_write (t, r->e);
}

/* Rounded as the productivity, which is the same.  Of a log of no time it is unknown; of one
 * without pauses, people do not see it. */
static void
put_share_left (struct emitter *e, uint64_t pauses, uint64_t paused_ns, uint64_t selected_ns)
{
  const uint64_t left = selected_ns - MIN (paused_ns, selected_ns);
  const struct emitter_any share
      = { EMIT_SHARE, { .number = emitter_share (left, selected_ns) }, NULL };
  emitter_value (e, "utilisation_permille", pauses != 0 ? "Not paused, %" : NULL, EMIT_ANY,
                 (union emitter_value){ .any = selected_ns != 0 ? &share : NULL });
}

/* ---- the heap ---- */

static void
put_heap (const struct report *r)
{
  struct table *t = section_table (r, &heap_sizes_shape);
  struct emitter_any numbers[GC_GENERATIONS];
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    numbers[i] = (struct emitter_any){ EMIT_NUMBER, { .number = i }, NULL };
    heap_sizes_add_row (t, &numbers[i], &r->s->gc.generations[i].heap);
  }
  table_write (t, r->e);
}

static bool
has_any (const struct report *r)
{
  const struct gc *gc = &r->s->gc;
  const struct summary *s = r->s;
  uint64_t roots = 0;
  for (guint i = 0; i < ROOT_SOURCES; i++)
    roots += s->roots.sources[i].registered;
  return gc->events + gc->resizes + gc->moves + gc_objects_count_handles (&s->handles)
             + s->finalizers.threads->len + roots
         != 0;
}

static void
put_gc (const struct report *r)
{
  const struct gc *gc = &r->s->gc;
  const uint64_t selected_ns = log_selected_ns (&r->s->log);
  uint64_t pauses = 0, paused_ns = 0;
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    pauses += gc->generations[i].pauses.count;
    paused_ns += gc->generations[i].pauses.total_ns;
  }
  section_open (r, "gc", "GC", has_any (r));
  emitter_number (r->e, "resizes", "Heap resizes", gc->resizes);
  emitter_number (r->e, "max_heap_bytes", "Max heap bytes", gc->max_heap_bytes);
  emitter_number (r->e, "moves", r->view->is_brief && gc->moves == 0 ? NULL : "Object moves",
                  gc->moves);
  emitter_number (r->e, "ignored_events", gc->ignored != 0 ? "Events of unknown generations" : NULL,
                  gc->ignored);
  put_all_pauses (r);
  if (!r->view->is_brief || pauses >= FEW_PAUSES)
    put_share_left (r->e, pauses, paused_ns, selected_ns);
  put_generations (r);
  if (!r->view->is_brief || pauses >= FEW_PAUSES) {
    put_pauses (r);
    put_utilisation (r, pauses, selected_ns);
  }
  if (!r->view->is_brief) {
    put_phases (r);
    put_histogram (r);
    put_heap (r);
  }
  gc_objects_put_handles (r);
  gc_objects_put_finalizers (r);
  gc_objects_put_roots (r);
  emitter_close (r->e);
}

const struct section section_gc
    = { .key = "gc",
        .put = put_gc,
        .tables = SECTION_TABLES (&generations, &generation_pauses, &utilisation, &phases,
                                  &histogram, &heap_sizes_shape, &gc_objects_handles_shape,
                                  &gc_objects_finalizers_shape, &gc_objects_roots_shape) };
