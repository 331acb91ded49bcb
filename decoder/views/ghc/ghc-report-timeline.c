/* ghc-report-timeline.c -- the timeline of an eventlog. */
#include "config.h"

#include "decoder/core/timeline.h"
#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/timeline-section.h"

static const struct emitter_column columns[] = {
  { "time_ns", "Time, ms", EMIT_TIME },
  { "run_ns", "Threads run, ms", EMIT_NS },
  { "runnable_ns", NULL, EMIT_NS },
  { "runnable_threads", "Runnable threads", EMIT_REAL },
  { "gc_ns", "Collections, ms", EMIT_NS },
  { "gc_idle_ns", "Idle in them, ms", EMIT_NS },
  { "gc_permille", "GC %", EMIT_SHARE },
  { "allocated_bytes", "Allocated bytes", EMIT_NUMBER },
  { "allocated_bytes_per_second", "A second, bytes", EMIT_NUMBER },
  { "heap_bytes", "Heap bytes", EMIT_NUMBER },
  { "live_bytes", "Live bytes", EMIT_NUMBER },
  { "blocks_bytes", "In blocks", EMIT_NUMBER },
  { "needed_bytes", "Needed", EMIT_NUMBER },
  { "sparks_created", "Sparks created", EMIT_NUMBER },
  { "sparks_converted", "Converted", EMIT_NUMBER },
  { "sparks_fizzled", "Fizzled", EMIT_NUMBER },
  { "sparks_remaining", "In the pools", EMIT_NUMBER },
};
static const struct table_shape shape
    = { .key = "intervals", TABLE_SHAPE_COLUMNS (columns), .whole = true, .hides_zeros = true };

static void
put_intervals (const struct report *r, const struct timeline *t)
{
  static const enum timeline_quantity quantities[] = { TIMELINE_ALLOCATED,
                                                       TIMELINE_HEAP_SIZE,
                                                       TIMELINE_LIVE,
                                                       TIMELINE_SPARKS_CREATED,
                                                       TIMELINE_SPARKS_CONVERTED,
                                                       TIMELINE_SPARKS_FIZZLED,
                                                       TIMELINE_SPARKS_REMAINING,
                                                       TIMELINE_RUNNABLE,
                                                       TIMELINE_BLOCKS,
                                                       TIMELINE_NEEDED };
  double *levels[G_N_ELEMENTS (quantities)], before[G_N_ELEMENTS (quantities)];
  struct table *table = section_table (r, &shape);
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++) {
    levels[i] = g_new (double, t->bins);
    timeline_levels (t, TIMELINE_ALL, quantities[i], levels[i]);
    before[i] = timeline_level_before (t, TIMELINE_ALL, quantities[i]);
  }
  for (guint bin = 0; bin < t->bins; bin++) {
    const uint64_t run = timeline_ns (t, TIMELINE_ALL, TIMELINE_RUN, bin),
                   idle = timeline_ns (t, TIMELINE_ALL, TIMELINE_WAIT, bin),
                   gc = timeline_ns (t, TIMELINE_ALL, TIMELINE_PAUSE, bin) + idle,
                   allocated = timeline_growth (levels[0], before[0], bin),
                   runnable = (uint64_t) levels[7][bin];
    SECTION_ROW (table, { .change = timeline_section_time (t, bin) }, { .number = run },
                 { .number = runnable }, { .real = timeline_section_average (t, runnable) },
                 { .number = gc }, { .number = idle }, { .number = emitter_share (gc, run + gc) },
                 { .number = allocated }, { .number = timeline_section_rate (t, allocated) },
                 { .number = (uint64_t) levels[1][bin] }, { .number = (uint64_t) levels[2][bin] },
                 { .number = (uint64_t) levels[8][bin] }, { .number = (uint64_t) levels[9][bin] },
                 { .number = timeline_growth (levels[3], before[3], bin) },
                 { .number = timeline_growth (levels[4], before[4], bin) },
                 { .number = timeline_growth (levels[5], before[5], bin) },
                 { .number = (uint64_t) levels[6][bin] });
  }
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    g_free (levels[i]);
  table_write (table, r->e);
}

static void
put_series (const struct report *r)
{
  timeline_section_put_series (r, put_intervals);
}

const struct section ghc_section_series
    = { .key = "series", .put = put_series, .tables = SECTION_TABLES (&shape), .extra = true };

const struct section ghc_section_timeline
    = { .key = "timeline",
        .put = timeline_section_put,
        .tables = SECTION_TABLES (&timeline_lanes_shape, &timeline_intervals_shape),
        .extra = true,
        .in_pages = true };
