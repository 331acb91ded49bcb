/* marks-section.c -- how often the program reached what it has a name for, when, and for how long.
 */
#include "config.h"

#include "decoder/views/marks-section.h"
#include "decoder/core/whole-number.h"

static const struct emitter_column name_columns[] = {
  { "count", "Count", EMIT_NUMBER },      { "per_second", "Per second", EMIT_REAL },
  { "first_ns", "First, ms", EMIT_TIME }, { "last_ns", "Last, ms", EMIT_TIME },
  { "kind", "Kind", EMIT_TEXT },          { "name", "Name", EMIT_TEXT },
};
const struct table_shape marks_names_shape = {
  .key = "names", TABLE_SHAPE_COLUMNS (name_columns), .order = TABLE_KEYS ("count"), .name = "name"
};

static const struct emitter_column interval_columns[] = {
  { "total_ns", "Total, ms", EMIT_NS },
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
const struct table_shape marks_intervals_shape = { .key = "intervals",
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
  struct table *t = section_table (r, &marks_names_shape);
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
put_intervals (const struct report *r, struct marks *m)
{
  GPtrArray *all = marks_intervals (m);
  struct table *t = section_table (r, &marks_intervals_shape);
  for (guint i = 0; i < all->len; i++) {
    const struct mark_interval *v = g_ptr_array_index (all, i);
    SECTION_ROW (t, { .number = v->total_ns }, { .number = v->count },
                 { .number = v->count != 0 ? v->total_ns / v->count : 0 }, { .number = v->p50_ns },
                 { .number = v->p90_ns }, { .number = v->p99_ns }, { .number = v->max_ns },
                 { .number = v->unfinished }, { .number = v->across_threads }, { .text = v->name });
  }
  table_write (t, r->e);
  g_ptr_array_unref (all);
}

void
marks_section_put (const struct report *r, struct marks *m, uint64_t duration_ns, uint64_t zero)
{
  const bool any = m->count != 0;
  emitter_open (r->e, "marks", any ? "Marks and messages" : NULL);
  emitter_number (r->e, "count", any ? "Count" : NULL, m->count);
  emitter_number (r->e, "of_other_names", m->others != 0 ? "Of names not listed" : NULL, m->others);
  emitter_number (r->e, "missing_at_most",
                  m->missing_at_most != 0 ? "Missing of a name, at most" : NULL,
                  m->missing_at_most);
  emitter_number (r->e, "without_interval", m->edges.lost != 0 ? "Not in intervals" : NULL,
                  m->edges.lost);
  put_names (r, m, duration_ns, zero);
  put_intervals (r, m);
  emitter_close (r->e);
  if (!any)
    section_absent_rare (r, "Marks and messages");
}
