/* report-gc.c -- collections and pauses by generation, utilisation, the size of the heap; handles,
 * finalizers, roots.
 */
#include "config.h"

#include "decoder/mlpd/analyses/finalizers.h"
#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/handles.h"
#include "decoder/mlpd/analyses/roots.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/section-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

/* ---- handles ---- */

static const struct emitter_column created_columns[] = { { "created", "Created", EMIT_NUMBER } };
static const struct table_shape created_at = { .key = "created_at",
                                               TABLE_SHAPE_COLUMNS (created_columns),
                                               .details = TABLE_KEYS ("frames") };

static const struct emitter_column destroyed_columns[]
    = { { "destroyed", "Destroyed", EMIT_NUMBER } };
static const struct table_shape destroyed_at = { .key = "destroyed_at",
                                                 TABLE_SHAPE_COLUMNS (destroyed_columns),
                                                 .details = TABLE_KEYS ("frames") };

static const struct emitter_column handle_columns[] = { { "created", "Created", EMIT_NUMBER },
                                                        { "destroyed", "Destroyed", EMIT_NUMBER },
                                                        { "max", "Max", EMIT_NUMBER },
                                                        { "kind", "Handles", EMIT_TEXT } };
static const struct table_shape handles_shape
    = { .key = "handles",
        TABLE_SHAPE_COLUMNS (handle_columns),
        .whole = true,
        .inner = TABLE_SHAPES (&created_at, &destroyed_at) };

static void
put_sites (const void *data, uint64_t kind, struct emitter *e)
{
  const struct report *r = data;
  const struct handles *h = SUMMARY_STATE (r->s, handles);
  (void) e; /* the report's */
  traces_put (r, &created_at, &h->created_at, (guint) kind, TRACES_BY_COUNT);
  traces_put (r, &destroyed_at, &h->destroyed_at, (guint) kind, TRACES_BY_COUNT);
}

/* How often handles were created or destroyed. */
static uint64_t
count_handles (const struct handles *h)
{
  uint64_t count = 0;
  for (guint i = 0; i < HANDLE_KINDS; i++)
    count += h->kinds[i].created + h->kinds[i].destroyed;
  return count;
}

/* The table "handles", with --traces the sites in its rows. */
static void
put_handles (const struct report *r)
{
  const struct handles *handles = SUMMARY_STATE (r->s, handles);
  const bool shown = section_is_machine_readable (r) || count_handles (handles) != 0;
  struct table *t = section_table (r, &handles_shape);
  if (r->view->traces)
    table_set_detail (t, put_sites, r);
  for (guint i = 0; i < HANDLE_KINDS && shown; i++) {
    const struct handle_sum *sum = &handles->kinds[i];
    const union emitter_value values[] = { { .number = sum->created },
                                           { .number = sum->destroyed },
                                           { .number = sum->max },
                                           { .text = mlpd_value_name (MLPD_UNIT_HANDLE_TYPE, i) } };
    table_add_id (t, i, values);
  }
  table_write (t, r->e);
}

/* ---- finalizers ---- */

static const struct emitter_column finalizer_columns[] = {
  { "phases", "Phases", EMIT_NUMBER },     { "total_ns", "Phases ms", EMIT_NS },
  { "objects", "Finalized", EMIT_NUMBER }, { "objects_total_ns", "Finalized ms", EMIT_NS },
  { "objects_max_ns", "Max ms", EMIT_NS }, { "id", "Finalizers of", EMIT_ADDRESS },
};
static const struct table_shape finalizers_shape
    = { .key = "threads",
        TABLE_SHAPE_COLUMNS (finalizer_columns),
        .order = TABLE_KEYS ("objects_total_ns", "id") };

/* The object "finalizers". */
static void
put_finalizers (const struct report *r)
{
  const struct finalizers *f = SUMMARY_STATE (r->s, finalizers);
  const bool any = f->threads->len != 0;
  emitter_open (r->e, "finalizers", any ? "Finalizers" : NULL);
  result_number (r->e, GC_FINALIZERS_PHASES, f->all.phases.count);
  result_number (r->e, GC_FINALIZERS_TOTAL_NS, f->all.phases.total_ns);
  result_number (r->e, GC_FINALIZERS_MAX_NS, f->all.phases.max_ns);
  result_number (r->e, GC_FINALIZERS_OBJECTS, f->all.objects.count);
  result_number (r->e, GC_FINALIZERS_OBJECTS_TOTAL_NS, f->all.objects.total_ns);
  result_number (r->e, GC_FINALIZERS_OBJECTS_MAX_NS, f->all.objects.max_ns);
  struct table *t = section_table (r, &finalizers_shape);
  for (guint i = 0; i < f->threads->len; i++) {
    const struct finalizer_sum *sum = g_ptr_array_index (f->threads, i);
    SECTION_ROW (t, { .number = sum->phases.count }, { .number = sum->phases.total_ns },
                 { .number = sum->objects.count }, { .number = sum->objects.total_ns },
                 { .number = sum->objects.max_ns }, { .number = sum->thread });
  }
  table_write (t, r->e);
  emitter_close (r->e);
}

/* ---- roots ---- */

const char *
section_root_source_name (guint source)
{
  const char *name = mlpd_value_name (MLPD_UNIT_ROOT_SOURCE, source);
  return name != NULL ? name : "unknown";
}

static const struct emitter_column root_columns[] = {
  { "registered", "Registered", EMIT_NUMBER },
  { "unregistered", "Unregistered", EMIT_NUMBER },
  { "bytes", "Bytes", EMIT_NUMBER },
  { "max_bytes", "Max bytes", EMIT_NUMBER },
  { "source", "Roots", EMIT_TEXT },
};
static const struct table_shape roots_shape
    = { .key = "roots", TABLE_SHAPE_COLUMNS (root_columns), .whole = true };

/* The table "roots". */
static void
put_roots (const struct report *r)
{
  const struct roots *roots = SUMMARY_STATE (r->s, roots);
  struct table *t = section_table (r, &roots_shape);
  for (guint i = 0; i < ROOT_SOURCES; i++) {
    const struct root_source *source = &roots->sources[i];
    if (source->registered != 0)
      SECTION_ROW (t, { .number = source->registered }, { .number = source->unregistered },
                   { .number = source->bytes }, { .number = source->max_bytes },
                   { .text = section_root_source_name (i) });
  }
  table_write (t, r->e);
}

static const struct emitter_column shot_columns[]
    = { { "roots", "Roots", EMIT_NUMBER }, { "source", "Of", EMIT_TEXT } };
const struct table_shape section_shot_roots_shape = { .key = "root_sources",
                                                      TABLE_SHAPE_COLUMNS (shot_columns),
                                                      .order = TABLE_KEYS ("roots"),
                                                      .whole = true };

/* By source or, in older logs, by kind. */
static void
add_shot_roots (struct table *t, const struct root_sums *sums, unsigned version)
{
  uint64_t kinds[ROOT_KINDS];
  if (version < MLPD_VERSION_ROOT_ADDRESSES) {
    root_kinds_of (sums, version, kinds);
    for (guint i = 0; i < ROOT_KINDS; i++)
      if (kinds[i] != 0)
        SECTION_ROW (t, { .number = kinds[i] }, { .text = root_kind_name (i) });
    return;
  }
  for (guint i = 0; i < ROOT_SOURCES; i++)
    if (sums->sources[i] != 0)
      SECTION_ROW (t, { .number = sums->sources[i] }, { .text = section_root_source_name (i) });
}

void
section_put_shot_roots (const struct report *r, const struct root_sums *sums)
{
  struct table *t = section_table (r, &section_shot_roots_shape);
  if (r->view->verbose || section_is_machine_readable (r))
    add_shot_roots (t, sums, r->s->log.header.data_version);
  table_write (t, r->e);
}

/* ---- the section ---- */

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
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  struct table *t = section_table (r, &generations);
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    const struct gc_generation *g = &gc->generations[i];
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
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  struct table *t = section_table (r, &generation_pauses);
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    const struct durations *d = &gc->generations[i].pauses;
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
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  struct table *t = section_table (r, &histogram);
  for (guint i = 0; i < GC_GENERATIONS; i++)
    section_add_histogram (t, &(const union emitter_value){ .number = i },
                           &gc->generations[i].pauses);
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
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  static const char *const names[GC_PHASES] = { [GC_PHASE_STOP] = "stop the threads",
                                                [GC_PHASE_COLLECT] = "collect",
                                                [GC_PHASE_RESTART] = "restart the threads" };
  struct table *t = section_table (r, &phases);
  for (int i = 0; i < GC_PHASES; i++) {
    const struct gc_phase_sum *sum = &gc->phases[i];
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
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  struct durations all = { .count = 0 };
  uint64_t collections = 0;
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    collections += gc->generations[i].collections;
    durations_merge (&all, &gc->generations[i].pauses);
  }
  result_number_if (r->e, GC_COLLECTIONS, false, collections);
  section_put_pause_values (r->e, &all);
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
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  struct table *t = section_table (r, &utilisation);
  for (unsigned i = UTILISATION_FIRST; i <= UTILISATION_LAST && pauses != 0;
       i += UTILISATION_STEP) {
    const uint64_t window = utilisation_window_ns[i];
    const uint64_t paused = utilisation_paused (&gc->utilisation, i);
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
  result_put (e, GC_UTILISATION_PERMILLE, pauses != 0,
              (union emitter_value){ .any = selected_ns != 0 ? &share : NULL });
}

/* ---- the heap ---- */

static void
put_heap (const struct report *r)
{
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  struct table *t = section_table (r, &section_heap_sizes_shape);
  struct emitter_any numbers[GC_GENERATIONS];
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    numbers[i] = (struct emitter_any){ EMIT_NUMBER, { .number = i }, NULL };
    section_add_heap_sizes (t, &numbers[i], &gc->generations[i].heap);
  }
  table_write (t, r->e);
}

static bool
has_any (const struct report *r)
{
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  const struct summary *s = r->s;
  const struct roots *all = SUMMARY_STATE (s, roots);
  uint64_t roots = 0;
  for (guint i = 0; i < ROOT_SOURCES; i++)
    roots += all->sources[i].registered;
  return gc->events + gc->resizes + gc->moves + count_handles (SUMMARY_STATE (s, handles))
             + SUMMARY_STATE (s, finalizers)->threads->len + roots
         != 0;
}

static void
put_gc (const struct report *r)
{
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  const uint64_t selected_ns = log_selected_ns (&r->s->log);
  uint64_t pauses = 0, paused_ns = 0;
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    pauses += gc->generations[i].pauses.count;
    paused_ns += gc->generations[i].pauses.total_ns;
  }
  section_open (r, "gc", "GC", has_any (r));
  result_number (r->e, GC_RESIZES, gc->resizes);
  result_number (r->e, GC_MAX_HEAP_BYTES, gc->max_heap_bytes);
  result_number_if (r->e, GC_MOVES, !(r->view->is_brief && gc->moves == 0), gc->moves);
  result_number_if (r->e, GC_IGNORED_EVENTS, gc->ignored != 0, gc->ignored);
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
  put_handles (r);
  put_finalizers (r);
  put_roots (r);
  emitter_close (r->e);
}

const struct section section_gc
    = { .key = "gc",
        .put = put_gc,
        .tables = SECTION_TABLES (&generations, &generation_pauses, &utilisation, &phases,
                                  &histogram, &section_heap_sizes_shape, &handles_shape,
                                  &finalizers_shape, &roots_shape) };
