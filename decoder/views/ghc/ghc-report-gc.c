/* ghc-report-gc.c -- collections by generation, pauses under each definition, utilisation. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/section-parts.h"
#include "decoder/views/result.h"

static const char *const pause_names[GHC_PAUSES] = {
  [GHC_PAUSE_MAIN] = "main",
  [GHC_PAUSE_AVERAGE] = "average",
  [GHC_PAUSE_LONGEST] = "longest",
  [GHC_PAUSE_SPAN] = "span",
};

/* ---- generations ---- */

static const struct emitter_column generation_columns[]
    = { { "generation", "Generation", EMIT_ANY },    { "collections", "Collections", EMIT_NUMBER },
        { "parallel", "Parallel", EMIT_NUMBER },     { "elapsed_ns", "Elapsed ms", EMIT_NS },
        { "pause_avg_ns", "Avg pause ms", EMIT_NS }, { "pause_max_ns", "Max pause ms", EMIT_NS },
        { "copied_bytes", "Copied bytes", EMIT_ANY } };
const struct table_shape ghc_generations_shape
    = { .key = "generations", TABLE_SHAPE_COLUMNS (generation_columns), .whole = true };

/* Numbers of generations as cells; the last is that of collections which do not state it. */
static struct emitter_any *
number_generations (guint n)
{
  struct emitter_any *cells = g_new (struct emitter_any, n + 1);
  for (guint i = 0; i < n; i++)
    cells[i] = (struct emitter_any){ EMIT_NUMBER, { .number = i }, NULL };
  cells[n] = (struct emitter_any){ EMIT_TEXT, { .text = NULL }, "unknown" };
  return cells;
}

/* The i-th generation, after them those that are not known; NULL if there is nothing to report. */
static const struct ghc_generation *
nth_generation (const struct ghc_figures *f, guint i)
{
  if (i < f->generations->len)
    return &g_array_index (f->generations, struct ghc_generation, i);
  return f->unreported.collections != 0 ? &f->unreported : NULL;
}

static void
put_generations (const struct report *r, const struct ghc_figures *f)
{
  struct table *t = section_table (r, &ghc_generations_shape);
  struct emitter_any *numbers = number_generations (f->generations->len);
  g_autofree struct emitter_any *copied = g_new (struct emitter_any, f->generations->len + 1);
  for (guint i = 0; i <= f->generations->len; i++) {
    const struct ghc_generation *g = nth_generation (f, i);
    if (g == NULL)
      continue;
    const struct ghc_pause_sum *main = &g->pauses[GHC_PAUSE_MAIN];
    copied[i] = emitter_any_number (EMIT_NUMBER, g->copied);
    SECTION_ROW (t, { .any = &numbers[i] }, { .number = g->collections }, { .number = g->parallel },
                 { .number = main->total_ns }, { .number = ghc_mean (main->total_ns, g->timed) },
                 { .number = main->max_ns }, { .any = f->has_stats ? &copied[i] : NULL });
  }
  table_write (t, r->e);
  g_free (numbers);
}

/* The pauses of these. */
static const struct ghc_pause_durations *
nth_durations (const struct ghc_figures *f, guint i)
{
  const guint at = i < f->generations->len ? i + 1 : 0;
  return at < f->durations->len ? &g_array_index (f->durations, struct ghc_pause_durations, at)
                                : NULL;
}

/* ---- pauses ---- */

static const struct emitter_column pause_columns[] = {
  { "pause", "Pause", EMIT_TEXT },     { "total_ns", "Total ms", EMIT_NS },
  { "avg_ns", "Avg ms", EMIT_NS },     { "p50_ns", "50% ms", EMIT_NS },
  { "p90_ns", "90% ms", EMIT_NS },     { "p99_ns", "99% ms", EMIT_NS },
  { "p99_9_ns", "99.9% ms", EMIT_NS }, { "max_ns", "Max ms", EMIT_NS },
};
const struct table_shape ghc_pauses_shape
    = { .key = "pauses", TABLE_SHAPE_COLUMNS (pause_columns), .whole = true };

static void
put_pauses_for_people (const struct report *r, const struct ghc_figures *f)
{
  struct table *t = section_table (r, &ghc_pauses_shape);
  for (unsigned i = 0; i < GHC_PAUSES && f->has_collections; i++) {
    const struct durations *d = &f->all_durations.of[i];
    SECTION_ROW (t, { .text = pause_names[i] }, { .number = d->total_ns },
                 { .number = durations_mean (d) }, { .number = durations_at (d, 500) },
                 { .number = durations_at (d, 900) }, { .number = durations_at (d, 990) },
                 { .number = durations_at (d, 999) }, { .number = d->max_ns });
  }
  table_write (t, r->e);
}

/* Programs find each definition by its name. */
static void
put_pauses_for_programs (const struct report *r, const struct ghc_figures *f)
{
  static const enum result first[GHC_PAUSES] = {
    [GHC_PAUSE_MAIN] = GC_PAUSES_MAIN_COUNT,
    [GHC_PAUSE_AVERAGE] = GC_PAUSES_AVERAGE_COUNT,
    [GHC_PAUSE_LONGEST] = GC_PAUSES_LONGEST_COUNT,
    [GHC_PAUSE_SPAN] = GC_PAUSES_SPAN_COUNT,
  };
  emitter_open (r->e, "pauses", NULL);
  for (unsigned i = 0; i < GHC_PAUSES; i++) {
    const struct durations *d = &f->all_durations.of[i];
    const uint64_t values[] = { d->count,
                                d->total_ns,
                                durations_mean (d),
                                durations_at (d, 500),
                                durations_at (d, 900),
                                durations_at (d, 990),
                                durations_at (d, 999),
                                d->max_ns };
    emitter_open (r->e, pause_names[i], NULL);
    for (unsigned v = 0; v < G_N_ELEMENTS (values); v++)
      result_number (r->e, first[i] + v, values[v]);
    emitter_close (r->e);
  }
  emitter_close (r->e);
}

static const struct emitter_column generation_pause_columns[]
    = { { "generation", "Generation", EMIT_ANY }, { "pause", "Pause", EMIT_TEXT },
        { "total_ns", "Total ms", EMIT_NS },      { "avg_ns", "Avg ms", EMIT_NS },
        { "p50_ns", "50% ms", EMIT_NS },          { "p90_ns", "90% ms", EMIT_NS },
        { "p99_ns", "99% ms", EMIT_NS },          { "max_ns", "Max ms", EMIT_NS } };
const struct table_shape ghc_generation_pauses_shape
    = { .key = "generation_pauses", TABLE_SHAPE_COLUMNS (generation_pause_columns), .whole = true };

static void
put_generation_pauses (const struct report *r, const struct ghc_figures *f)
{
  const unsigned definitions = r->view->is_brief ? GHC_PAUSE_MAIN + 1 : GHC_PAUSES;
  struct table *t = section_table (r, &ghc_generation_pauses_shape);
  struct emitter_any *numbers = number_generations (f->generations->len);
  for (guint i = 0; i <= f->generations->len; i++) {
    const struct ghc_pause_durations *pauses = nth_durations (f, i);
    for (unsigned p = 0; p < definitions && pauses != NULL && pauses->of[p].count != 0; p++) {
      const struct durations *d = &pauses->of[p];
      SECTION_ROW (t, { .any = &numbers[i] }, { .text = pause_names[p] }, { .number = d->total_ns },
                   { .number = durations_mean (d) }, { .number = durations_at (d, 500) },
                   { .number = durations_at (d, 900) }, { .number = durations_at (d, 990) },
                   { .number = d->max_ns });
    }
  }
  table_write (t, r->e);
  g_free (numbers);
}

static const struct emitter_column histogram_columns[]
    = { { "generation", "Generation", EMIT_ANY }, HISTOGRAM_COLUMNS };
static const struct table_shape histogram = { .key = "pause_histogram",
                                              .title = "Main pauses by length",
                                              TABLE_SHAPE_COLUMNS (histogram_columns),
                                              .whole = true };

static void
put_histogram (const struct report *r, const struct ghc_figures *f)
{
  struct table *t = section_table (r, &histogram);
  struct emitter_any *numbers = number_generations (f->generations->len);
  for (guint i = 0; i <= f->generations->len; i++) {
    const struct ghc_pause_durations *pauses = nth_durations (f, i);
    if (pauses != NULL)
      section_add_histogram (t, &(const union emitter_value){ .any = &numbers[i] },
                             &pauses->of[GHC_PAUSE_MAIN]);
  }
  table_write (t, r->e);
  g_free (numbers);
}

/* ---- the heap ---- */

static const struct emitter_column live_columns[] = { { "generation", "Generation", EMIT_ANY },
                                                      { "collections", "Collections", EMIT_NUMBER },
                                                      { "avg_bytes", "Avg bytes", EMIT_NUMBER },
                                                      { "max_bytes", "Max bytes", EMIT_NUMBER } };
static const struct table_shape live_after = { .key = "live_after",
                                               .title = "Live after collections",
                                               TABLE_SHAPE_COLUMNS (live_columns),
                                               .whole = true };

static void
put_heap_sizes (const struct report *r, const struct ghc_figures *f)
{
  struct table *t = section_table (r, &section_heap_sizes_shape);
  struct table *live = section_table (r, &live_after);
  struct emitter_any *numbers = number_generations (f->generations->len);
  for (guint i = 0; i <= f->generations->len; i++) {
    const struct ghc_generation *g = nth_generation (f, i);
    if (g == NULL)
      continue;
    section_add_heap_sizes (t, &numbers[i], &g->heap);
    if (g->live_samples != 0)
      SECTION_ROW (live, { .any = &numbers[i] }, { .number = g->live_samples },
                   { .number = g->live_bytes / g->live_samples }, { .number = g->max_live });
  }
  table_write (t, r->e);
  table_write (live, r->e);
  g_free (numbers);
}

/* ---- utilisation ---- */

static const struct emitter_column utilisation_columns[]
    = { { "window_ns", "Window ms", EMIT_NS },
        { "main_paused_ns", "Main paused ms", EMIT_NS },
        { "main_permille", "Least %", EMIT_SHARE },
        { "span_paused_ns", "Span paused ms", EMIT_NS },
        { "span_permille", "Least %", EMIT_SHARE } };
const struct table_shape ghc_utilisation_shape = { .key = "utilisation",
                                                   .title = "Minimum mutator utilisation",
                                                   TABLE_SHAPE_COLUMNS (utilisation_columns),
                                                   .whole = true };

static void
put_utilisation (const struct report *r, const struct ghc_figures *f)
{
  struct table *t = section_table (r, &ghc_utilisation_shape);
  for (unsigned i = UTILISATION_FIRST;
       i <= UTILISATION_LAST && f->stops != NULL && f->has_collections; i += UTILISATION_STEP) {
    const uint64_t window = utilisation_window_ns[i];
    const uint64_t main = utilisation_paused (&f->stops->main, i);
    const uint64_t span = utilisation_paused (&f->stops->span, i);
    if (window <= f->total_ns)
      SECTION_ROW (t, { .number = window }, { .number = main },
                   { .number = utilisation_left (main, window) }, { .number = span },
                   { .number = utilisation_left (span, window) });
  }
  table_write (t, r->e);
}

/* ---- all of it ---- */

/* `first`: the first of their values. */
static void
put_delays (const struct report *r, const char *key, enum result first, const char *title,
            const struct ghc_delays *d)
{
  emitter_open (r->e, key, d->count != 0 ? title : NULL);
  result_number (r->e, first, d->count);
  result_number (r->e, first + 1, d->total_ns);
  result_number (r->e, first + 2, ghc_mean (d->total_ns, d->count));
  result_number (r->e, first + 3, d->max_ns);
  emitter_close (r->e);
}

/* People see two decimals. */
static void
put_balance (const struct report *r, const struct ghc_figures *f)
{
  double percent = 0;
  const bool has_balance = ghc_balance_percent (&f->balance, &percent);
  g_autofree char *text = g_strdup_printf ("%.2f", percent);
  const bool is_exact = section_is_machine_readable (r);
  const struct emitter_any cell = is_exact
                                      ? (struct emitter_any){ EMIT_REAL, { .real = percent }, NULL }
                                      : (struct emitter_any){ EMIT_TEXT, { .text = text }, NULL };
  result_put (r->e, GC_WORK_BALANCE_PERCENT, has_balance && !is_exact,
              (union emitter_value){ .any = has_balance ? &cell : NULL });
}

void
ghc_put_gc (const struct report *r, const char *title, const struct ghc_figures *f)
{
  emitter_open (r->e, "gc", title);
  result_number (r->e, GC_COLLECTIONS, f->all.collections);
  result_number (r->e, GC_PARALLEL, f->all.parallel);
  put_balance (r, f);
  const uint64_t own = f->all.own.total_ns;
  result_number_if (r->e, GC_CAPS_NS, own != 0, own);
  result_number_if (r->e, GC_IDLE_NS, own != 0, f->all.idle_ns);
  result_put_known (r->e, GC_IDLE_PERMILLE, own != 0, own != 0,
                    (union emitter_value){ .number = emitter_share (f->all.idle_ns, own) });
  result_number_if (r->e, GC_UNFINISHED, f->unfinished != 0, f->unfinished);
  result_number_if (r->e, GC_UNMATCHED, f->unmatched != 0, f->unmatched);
  /* As the productivity is rounded, which is the same. */
  const struct emitter_any left
      = emitter_any_number (EMIT_SHARE, emitter_share (ghc_figures_mutator_ns (f), f->total_ns));
  result_put (r->e, GC_UTILISATION_PERMILLE, f->has_gc,
              (union emitter_value){ .any = f->has_gc ? &left : NULL });
  section_put_pause_values (r->e, &f->all_durations.of[GHC_PAUSE_MAIN]);
  put_generations (r, f);
  if (section_is_machine_readable (r))
    put_pauses_for_programs (r, f);
  else
    put_pauses_for_people (r, f);
  put_generation_pauses (r, f);
  put_utilisation (r, f);
  if (!r->view->is_brief) {
    put_histogram (r, f);
    put_heap_sizes (r, f);
  }
  put_delays (r, "synchronisation", GC_SYNCHRONISATION_COUNT, "From request to start", &f->syncs);
  put_delays (r, "concurrent_syncs", GC_CONCURRENT_SYNCS_COUNT, "Stops of the concurrent collector",
              &f->concurrent->syncs);
  put_delays (r, "concurrent", GC_CONCURRENT_COUNT, "From marking to the end of sweeping",
              &f->concurrent->collections);
  emitter_close (r->e);
}

static void
put_gc (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  ghc_put_gc (r, f.all.collections + f.all.taken_part != 0 ? "GC" : NULL, &f);
  if (f.all.collections + f.all.taken_part == 0)
    section_absent (r, "GC");
  ghc_figures_clear (&f);
}

const struct section ghc_section_gc
    = { .key = "gc",
        .put = put_gc,
        .tables = SECTION_TABLES (&ghc_generations_shape, &ghc_pauses_shape,
                                  &ghc_generation_pauses_shape, &ghc_utilisation_shape, &histogram,
                                  &section_heap_sizes_shape, &live_after) };
