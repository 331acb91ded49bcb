/* report-timeline.c -- the timeline of a Mono log. */
#include "config.h"

#include "decoder/core/timeline.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/timeline-section.h"

static const struct emitter_column columns[] = {
  { "time_ns", "Time, ms", EMIT_TIME },
  { "events", "Events", EMIT_NUMBER },
  { "calls", "Calls", EMIT_NUMBER },
  { "allocated_bytes", "Allocated bytes", EMIT_NUMBER },
  { "allocated_bytes_per_second", "A second, bytes", EMIT_NUMBER },
  { "exceptions", "Exceptions", EMIT_NUMBER },
  { "contentions", "Contentions", EMIT_NUMBER },
  { "lock_wait_ns", "Waits for locks, ms", EMIT_NS },
  { "collections", "Collections", EMIT_NUMBER },
  { "pause_ns", "Pauses, ms", EMIT_NS },
  { "gc_permille", "GC %", EMIT_SHARE },
  { "heap_bytes", "Heap bytes", EMIT_NUMBER },
  { "live_bytes", "Live bytes", EMIT_ANY },
};
static const struct table_shape shape
    = { .key = "intervals", TABLE_SHAPE_COLUMNS (columns), .whole = true, .hides_zeros = true };

/* Sums of a table by interval. */
struct sums {
  uint64_t *counts, *amounts;
};

static struct sums
sums_of (const struct timeline *t, enum timeline_table_key key)
{
  struct sums sums = { g_new (uint64_t, t->bins), g_new (uint64_t, t->bins) };
  timeline_sums (t, TIMELINE_ALL, key, sums.counts, sums.amounts);
  return sums;
}

/* Of each interval the latest complete heap snapshot that began up to its end; NULL: there is none
 * (transfer container). */
static const struct heapshot **
latest_shots (const struct report *r, const struct timeline *t)
{
  const GPtrArray *shots = SUMMARY_STATE (r->s, heapshots)->shots;
  const struct heapshot **latest = g_new0 (const struct heapshot *, t->bins);
  for (guint i = 0; i < shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (shots, i);
    const uint64_t time = span_ns (r->s->log.first_time + t->begin, shot->time);
    const struct heapshot **of = &latest[timeline_bin (t, time)];
    if (shot->state == HEAPSHOT_COMPLETE && (*of == NULL || (*of)->time <= shot->time))
      *of = shot;
  }
  for (guint bin = 1; bin < t->bins; bin++)
    if (latest[bin] == NULL)
      latest[bin] = latest[bin - 1];
  return latest;
}

static void
put_intervals (const struct report *r, const struct timeline *t)
{
  struct sums sums[TIMELINE_TABLES];
  double *heap = g_new (double, t->bins);
  g_autofree const struct heapshot **shots = latest_shots (r, t);
  g_autofree struct emitter_any *live = g_new (struct emitter_any, t->bins);
  struct table *table = section_table (r, &shape);
  for (guint i = 0; i < TIMELINE_TABLES; i++)
    sums[i] = sums_of (t, (enum timeline_table_key) i);
  timeline_levels (t, TIMELINE_ALL, TIMELINE_HEAP_SIZE, heap);
  for (guint bin = 0; bin < t->bins; bin++) {
    if (shots[bin] != NULL)
      live[bin] = emitter_any_number (EMIT_NUMBER, shots[bin]->bytes);
    SECTION_ROW (
        table, { .change = timeline_section_time (t, bin) },
        { .number = timeline_events (t, TIMELINE_ALL, bin) },
        { .number = sums[TIMELINE_CALLS].counts[bin] },
        { .number = sums[TIMELINE_ALLOCATIONS].amounts[bin] },
        { .number = timeline_section_rate (t, sums[TIMELINE_ALLOCATIONS].amounts[bin]) },
        { .number = sums[TIMELINE_EXCEPTIONS].counts[bin] },
        { .number = sums[TIMELINE_LOCKS].counts[bin] },
        { .number = sums[TIMELINE_LOCKS].amounts[bin] },
        { .number = sums[TIMELINE_COLLECTIONS].counts[bin] },
        { .number = sums[TIMELINE_PAUSES].amounts[bin] },
        { .number = emitter_share (timeline_ns (t, TIMELINE_ALL, TIMELINE_PAUSE, bin), t->width) },
        { .number = (uint64_t) heap[bin] }, { .any = shots[bin] != NULL ? &live[bin] : NULL });
  }
  for (guint i = 0; i < TIMELINE_TABLES; i++) {
    g_free (sums[i].counts);
    g_free (sums[i].amounts);
  }
  g_free (heap);
  table_write (table, r->e);
}

static void
put_series (const struct report *r)
{
  timeline_section_put_series (r, put_intervals);
}

const struct section section_series
    = { .key = "series", .put = put_series, .tables = SECTION_TABLES (&shape), .extra = true };

const struct section section_timeline
    = { .key = "timeline",
        .put = timeline_section_put,
        .tables = SECTION_TABLES (&timeline_lanes_shape, &timeline_intervals_shape),
        .extra = true,
        .in_pages = true };
