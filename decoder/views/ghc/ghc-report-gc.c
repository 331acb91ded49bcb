/* ghc-report-gc.c -- collections by generation, pauses under each definition, what they leave. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/section-parts.h"

static const char *const pause_names[GHC_PAUSES] = {
  [GHC_PAUSE_MAIN] = "main",
  [GHC_PAUSE_AVERAGE] = "average",
  [GHC_PAUSE_LONGEST] = "longest",
  [GHC_PAUSE_SPAN] = "span",
};

/* ---- generations ---- */

static const struct emitter_column generation_columns[] = {
  { "generation", "Generation", EMIT_ANY },       { "collections", "Collections", EMIT_NUMBER },
  { "parallel", "Parallel", EMIT_NUMBER },        { "elapsed_ns", "Elapsed ms", EMIT_NS },
  { "pause_avg_ns", "Avg pause ms", EMIT_NS },    { "pause_max_ns", "Max pause ms", EMIT_NS },
  { "copied_bytes", "Copied bytes", EMIT_NUMBER }
};
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
  for (guint i = 0; i <= f->generations->len; i++) {
    const struct ghc_generation *g = nth_generation (f, i);
    if (g == NULL)
      continue;
    const struct ghc_pause_sum *main = &g->pauses[GHC_PAUSE_MAIN];
    SECTION_ROW (t, { .any = &numbers[i] }, { .number = g->collections }, { .number = g->parallel },
                 { .number = main->total_ns }, { .number = ghc_mean (main->total_ns, g->timed) },
                 { .number = main->max_ns }, { .number = g->copied });
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
  emitter_open (r->e, "pauses", NULL);
  for (unsigned i = 0; i < GHC_PAUSES; i++) {
    const struct durations *d = &f->all_durations.of[i];
    emitter_open (r->e, pause_names[i], NULL);
    emitter_number (r->e, "count", NULL, d->count);
    emitter_ns (r->e, "total_ns", NULL, d->total_ns);
    emitter_ns (r->e, "avg_ns", NULL, durations_mean (d));
    emitter_ns (r->e, "p50_ns", NULL, durations_at (d, 500));
    emitter_ns (r->e, "p90_ns", NULL, durations_at (d, 900));
    emitter_ns (r->e, "p99_ns", NULL, durations_at (d, 990));
    emitter_ns (r->e, "p99_9_ns", NULL, durations_at (d, 999));
    emitter_ns (r->e, "max_ns", NULL, d->max_ns);
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

static void
put_delays (const struct report *r, const char *key, const char *title, const struct ghc_delays *d)
{
  emitter_open (r->e, key, d->count != 0 ? title : NULL);
  emitter_number (r->e, "count", "Times", d->count);
  emitter_ns (r->e, "total_ns", "Total", d->total_ns);
  emitter_ns (r->e, "avg_ns", "Average", ghc_mean (d->total_ns, d->count));
  emitter_ns (r->e, "max_ns", "Longest", d->max_ns);
  emitter_close (r->e);
}

void
ghc_put_gc (const struct report *r, const char *title, const struct ghc_figures *f)
{
  double percent = 0;
  const bool has_balance = ghc_balance_percent (&f->balance, &percent);
  emitter_open (r->e, "gc", title);
  emitter_number (r->e, "collections", "Collections", f->all.collections);
  emitter_number (r->e, "parallel", "Parallel", f->all.parallel);
  if (section_is_machine_readable (r)) {
    ghc_put_maybe (r->e, "work_balance_percent", NULL, EMIT_REAL, has_balance,
                   (union emitter_value){ .real = percent });
  } else if (has_balance) {
    char *text = g_strdup_printf ("%.2f", percent);
    emitter_text (r->e, "work_balance_percent", "Work balance, %", text);
    g_free (text);
  }
  const uint64_t own = f->all.own.total_ns;
  emitter_ns (r->e, "caps_ns", own != 0 ? "Of all capabilities" : NULL, own);
  emitter_ns (r->e, "idle_ns", own != 0 ? "Idle of that" : NULL, f->all.idle_ns);
  ghc_put_maybe (r->e, "idle_permille", own != 0 ? "Idle, %" : NULL, EMIT_SHARE, own != 0,
                 (union emitter_value){ .number = emitter_share (f->all.idle_ns, own) });
  emitter_number (r->e, "unfinished", f->unfinished != 0 ? "Without start or end" : NULL,
                  f->unfinished);
  emitter_number (r->e, "unmatched", f->unmatched != 0 ? "Parts in no known one" : NULL,
                  f->unmatched);
  /* As the productivity is rounded, which is the same. */
  ghc_put_maybe (
      r->e, "utilisation_permille", f->has_gc ? "Not paused, %" : NULL, EMIT_SHARE, f->has_gc,
      (union emitter_value){ .number = emitter_share (ghc_figures_mutator_ns (f), f->total_ns) });
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
  put_delays (r, "synchronisation", "From request to start", &f->syncs);
  put_delays (r, "concurrent_syncs", "Stops of the concurrent collector", &f->concurrent->syncs);
  put_delays (r, "concurrent", "From marking to the end of sweeping", &f->concurrent->collections);
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
