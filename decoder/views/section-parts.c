/* section-parts.c -- parts of sections that logs of both formats have. */
#include "config.h"

#include "decoder/views/section-parts.h"
#include "decoder/core/whole-number.h"

/* ---- histograms of durations ---- */

#define BAR_LENGTH 30

/* A bar of the share of all; what is there has one mark at least (transfer full). */
static char *
bar_of (uint64_t count, uint64_t of)
{
  const gsize length = (gsize) ((double) count / (double) of * BAR_LENGTH + 0.5);
  return g_strnfill (count != 0 ? MAX (length, 1) : 0, '#');
}

void
section_add_histogram (struct table *t, const union emitter_value *first, const struct durations *d)
{
  unsigned step, end;
  for (bool any = durations_steps (d, &step, &end); any && step < end; step++) {
    const struct duration_step s = durations_step (d, step);
    g_autofree char *bar = bar_of (s.count, d->count);
    const union emitter_value values[]
        = { first != NULL ? *first : (union emitter_value){ .number = 0 },
            { .number = s.from_ns },
            { .number = s.to_ns },
            { .number = s.count },
            { .number = s.total_ns },
            { .text = bar } };
    table_add (t, first != NULL ? values : values + 1);
  }
}

void
section_put_pause_values (struct emitter *e, const struct durations *pauses)
{
  emitter_ns (e, "pause_total_ns", NULL, pauses->total_ns);
  emitter_ns (e, "pause_p50_ns", NULL, durations_at (pauses, 500));
  emitter_ns (e, "pause_p90_ns", NULL, durations_at (pauses, 900));
  emitter_ns (e, "pause_p99_ns", NULL, durations_at (pauses, 990));
  emitter_ns (e, "pause_max_ns", NULL, pauses->max_ns);
}

/* ---- the size of the heap ---- */

static const struct emitter_column size_columns[]
    = { { "generation", "Generation", EMIT_ANY },
        { "collections", "Collections", EMIT_NUMBER },
        { "before_avg_bytes", "Before, avg bytes", EMIT_NUMBER },
        { "after_avg_bytes", "After, avg bytes", EMIT_NUMBER },
        { "before_max_bytes", "Before, max bytes", EMIT_NUMBER },
        { "after_max_bytes", "After, max bytes", EMIT_NUMBER } };
const struct table_shape section_heap_sizes_shape = { .key = "heap_sizes",
                                                      .title = "Size of the heap",
                                                      TABLE_SHAPE_COLUMNS (size_columns),
                                                      .whole = true };

void
section_add_heap_sizes (struct table *t, const struct emitter_any *generation,
                        const struct heap_sizes *c)
{
  if (c->count != 0)
    SECTION_ROW (t, { .any = generation }, { .number = c->count },
                 { .number = c->before_bytes / c->count }, { .number = c->after_bytes / c->count },
                 { .number = c->before_max }, { .number = c->after_max });
}

/* ---- damage ---- */

void
section_put_damage (const struct report *r, const struct report_damage *d)
{
  struct emitter *e = r->e;
  const bool any = d->damages != 0, selected = r->view->sections != NULL;
  emitter_open (e, "damage", any || selected ? "Damage" : NULL);
  if (!any)
    emitter_note (e, "None: all that the log has could be read.");
  emitter_truth (e, "truncated", any ? "Truncated" : NULL, d->truncated);
  emitter_number (e, "missing_bytes", any ? "Missing bytes" : NULL, d->missing_bytes);
  emitter_number (e, "skipped_bytes", any ? "Skipped bytes" : NULL, d->skipped_bytes);
  if (d->put_more != NULL)
    d->put_more (r, any);
  emitter_number (e, "lost_events", d->lost_events != 0 ? "Lost events" : NULL, d->lost_events);
  emitter_texts (e, "messages", "What", d->messages);
  emitter_close (e);
}

/* ---- marks and messages ---- */

static const struct emitter_column name_columns[] = {
  { "count", "Count", EMIT_NUMBER },      { "per_second", "Per second", EMIT_REAL },
  { "first_ns", "First, ms", EMIT_TIME }, { "last_ns", "Last, ms", EMIT_TIME },
  { "kind", "Kind", EMIT_TEXT },          { "name", "Name", EMIT_TEXT },
};
const struct table_shape section_mark_names_shape = {
  .key = "names", TABLE_SHAPE_COLUMNS (name_columns), .order = TABLE_KEYS ("count"), .name = "name"
};

static const struct emitter_column interval_columns[] = {
  { "total_ns", "Total, ms", EMIT_NS },
  { "self_ns", "Self, ms", EMIT_NS },
  { "count", "Count", EMIT_NUMBER },
  { "avg_ns", "Average, ms", EMIT_NS },
  { "p50_ns", "p50, ms", EMIT_NS },
  { "p90_ns", "p90, ms", EMIT_NS },
  { "p99_ns", "p99, ms", EMIT_NS },
  { "max_ns", "Max, ms", EMIT_NS },
  { "unfinished", "Unfinished", EMIT_NUMBER },
  { "across_threads", "Across threads", EMIT_NUMBER },
  { "name", "From START to STOP", EMIT_TEXT },
};
const struct table_shape section_mark_intervals_shape = { .key = "intervals",
                                                          .title = "Intervals",
                                                          TABLE_SHAPE_COLUMNS (interval_columns),
                                                          .order = TABLE_KEYS ("total_ns"),
                                                          .name = "name" };

/* Three digits are enough for people and programs. */
static double
rate (uint64_t count, uint64_t duration_ns)
{
  const double seconds = (double) duration_ns / 1e9;
  return seconds > 0 ? (double) whole_number ((double) count / seconds * 1000 + 0.5) / 1000 : 0;
}

static void
put_names (const struct report *r, const struct marks *m, uint64_t duration_ns, uint64_t zero)
{
  struct table *t = section_table (r, &section_mark_names_shape);
  for (guint i = 0; i < m->all->len; i++) {
    const struct mark *mark = g_ptr_array_index (m->all, i);
    SECTION_ROW (t, { .number = mark->count }, { .real = rate (mark->count, duration_ns) },
                 { .change = (int64_t) (mark->first - zero) },
                 { .change = (int64_t) (mark->last - zero) },
                 { .text = mark->is_message ? "message" : "mark" }, { .text = mark->name });
  }
  table_write (t, r->e);
}

static void
put_intervals (const struct report *r, const GPtrArray *all)
{
  struct table *t = section_table (r, &section_mark_intervals_shape);
  for (guint i = 0; i < all->len; i++) {
    const struct mark_interval *v = g_ptr_array_index (all, i);
    SECTION_ROW (t, { .number = v->total_ns }, { .number = v->self_ns }, { .number = v->count },
                 { .number = v->count != 0 ? v->total_ns / v->count : 0 }, { .number = v->p50_ns },
                 { .number = v->p90_ns }, { .number = v->p99_ns }, { .number = v->max_ns },
                 { .number = v->unfinished }, { .number = v->across_threads }, { .text = v->name });
  }
  table_write (t, r->e);
}

void
section_put_marks (const struct report *r, struct marks *m, uint64_t duration_ns, uint64_t zero,
                   section_put_mark_threads *put_threads)
{
  const bool any = m->count != 0 || m->edges.all != 0;
  struct mark_intervals intervals;
  marks_measure (m, &intervals);
  emitter_open (r->e, "marks", any ? "Marks and messages" : NULL);
  emitter_number (r->e, "count", any ? "Count" : NULL, m->count);
  emitter_number (r->e, "of_other_names", m->others != 0 ? "Of names not listed" : NULL, m->others);
  emitter_number (r->e, "missing_at_most",
                  m->missing_at_most != 0 ? "Missing of a name, at most" : NULL,
                  m->missing_at_most);
  emitter_number (r->e, "without_interval", m->edges.lost != 0 ? "Not in intervals" : NULL,
                  m->edges.lost);
  emitter_ns (r->e, "outside_ns", intervals.threads->len != 0 ? "In no interval" : NULL,
              duration_ns - MIN (duration_ns, intervals.covered_ns));
  put_names (r, m, duration_ns, zero);
  put_intervals (r, intervals.all);
  if (put_threads != NULL)
    put_threads (r, intervals.threads);
  emitter_close (r->e);
  mark_intervals_clear (&intervals);
  if (!any)
    section_absent_rare (r, "Marks and messages");
}
