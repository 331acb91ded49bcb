/* ghc-report-sparks.c -- the outcomes of sparks, by the counters and by the single events. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"

/* In the order of +RTS -s, which is that of their values. */
static const enum ghc_spark sparks[]
    = { GHC_SPARKS_CREATED, GHC_SPARKS_CONVERTED, GHC_SPARKS_OVERFLOWED,
        GHC_SPARKS_DUD,     GHC_SPARKS_GCD,       GHC_SPARKS_FIZZLED };

#define COLUMNS(name, label)                                                                       \
  { name "created", label "created", EMIT_ANY },                                                   \
      { name "converted", label "converted", EMIT_ANY },                                           \
      { name "overflowed", label "overflowed", EMIT_ANY }, { name "dud", label "dud", EMIT_ANY },  \
      { name "gcd", label "GC'd", EMIT_ANY },                                                      \
  {                                                                                                \
    name "fizzled", label "fizzled", EMIT_ANY                                                      \
  }

static const struct emitter_column columns[]
    = { { "cap", "Cap", EMIT_NUMBER }, { "from", "Source", EMIT_TEXT }, COLUMNS ("", "") };
static const struct table_shape caps_shape
    = { .key = "caps", TABLE_SHAPE_COLUMNS (columns), .whole = true };

static const struct emitter_column histogram_columns[] = { HISTOGRAM_COLUMNS };
static const struct table_shape histogram_shape = { .key = "run_histogram",
                                                    .title = "Sparks by the time that they ran",
                                                    TABLE_SHAPE_COLUMNS (histogram_columns),
                                                    .whole = true };

static void
add_row (struct table *t, unsigned cap, const char *from, struct emitter_any *cells,
         const uint64_t *values)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (sparks); i++)
    cells[i] = (struct emitter_any){ EMIT_NUMBER, { .number = values[sparks[i]] }, NULL };
  SECTION_ROW (t, { .number = cap }, { .text = from }, { .any = &cells[0] }, { .any = &cells[1] },
               { .any = &cells[2] }, { .any = &cells[3] }, { .any = &cells[4] },
               { .any = &cells[5] });
}

static void
put_caps (const struct report *r)
{
  const GPtrArray *caps = r->ghc->caps;
  struct table *t = section_table (r, &caps_shape);
  struct emitter_any *cells = g_new (struct emitter_any, 2 * G_N_ELEMENTS (sparks) * caps->len + 1);
  struct emitter_any *at = cells;
  for (guint i = 0; i < caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (caps, i);
    uint64_t values[GHC_SPARKS];
    if (cap == NULL || !cap->is_selected)
      continue;
    for (unsigned k = 0; k < GHC_SPARKS; k++)
      values[k] = ghc_counter_value (&cap->sparks[k]);
    if (cap->sparks[0].is_recorded) {
      add_row (t, i, "counters", at, values);
      at += G_N_ELEMENTS (sparks);
    }
    if (cap->has_spark_events) {
      add_row (t, i, "events", at, cap->spark_events);
      at += G_N_ELEMENTS (sparks);
    }
  }
  table_write (t, r->e);
  g_free (cells);
}

/* `first`: the first of their values. */
static void
put_values (const struct report *r, enum result first, const uint64_t *values, bool is_recorded)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (sparks); i++)
    result_put_known (r->e, first + i, true, is_recorded,
                      (union emitter_value){ .number = values[sparks[i]] });
}

/* Counters are reported at collections, so sparks after the last are in the events only. */
static bool
agree (const struct ghc_figures *f)
{
  for (unsigned i = 0; i < GHC_SPARKS; i++)
    if (f->sparks[i] != f->spark_events[i])
      return false;
  return true;
}

void
ghc_put_sparks (const struct report *r, const char *title, const struct ghc_figures *f)
{
  const bool both = f->has_sparks && f->has_spark_events && !f->is_part;
  const uint64_t *sparks_of_log = ghc_figures_sparks (f);
  const bool any = sparks_of_log != NULL;
  emitter_open (r->e, "sparks", any ? title : NULL);
  put_values (r, SPARKS_CREATED, any ? sparks_of_log : f->sparks, any);
  result_text_if (r->e, SPARKS_FROM, any,
                  !any                         ? NULL
                  : sparks_of_log == f->sparks ? "counters"
                                               : "events");
  emitter_open (r->e, "events", NULL);
  put_values (r, SPARKS_EVENTS_CREATED, f->spark_events, f->has_spark_events);
  emitter_close (r->e);
  if (both)
    emitter_truth (r->e, "events_agree", "Events agree", agree (f));
  else
    result_text (r->e, SPARKS_EVENTS_AGREE, NULL);
}

/* Of a log of single sparks (+RTS -lf). */
static void
put_durations (const struct report *r, const struct durations *ran)
{
  const bool any = ran->count != 0;
  struct table *t = section_table (r, &histogram_shape);
  result_number_if (r->e, SPARKS_RAN, any, ran->count);
  result_number_if (r->e, SPARKS_RUN_NS, any, ran->total_ns);
  result_number_if (r->e, SPARKS_RUN_P50_NS, any, durations_at (ran, 500));
  result_number_if (r->e, SPARKS_RUN_P90_NS, any, durations_at (ran, 900));
  result_number_if (r->e, SPARKS_RUN_MAX_NS, any, ran->max_ns);
  section_add_histogram (t, NULL, ran);
  table_write (t, r->e);
}

static void
put_sparks (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  ghc_put_sparks (r, "Sparks", &f);
  put_caps (r);
  put_durations (r, &r->ghc->threads.sparks);
  emitter_close (r->e);
  if (!f.has_sparks && !f.has_spark_events)
    section_absent (r, "Sparks");
  ghc_figures_clear (&f);
}

const struct section ghc_section_sparks
    = { .key = "sparks",
        .put = put_sparks,
        .tables = SECTION_TABLES (&caps_shape, &histogram_shape),
        .features = GHC_FEATURE_SPARK_TIMES };
