/* section-parts.c -- parts of sections that logs of both formats have. */
#include "config.h"

#include "decoder/views/section-parts.h"
#include "decoder/core/chance.h"
#include "decoder/core/whole-number.h"
#include "decoder/output/wrap.h"
#include "decoder/views/recording-cost.h"
#include <math.h>
#include <string.h>

/* ---- results ---- */

GPtrArray *
section_shapes (const struct section *section, const struct result_table *table)
{
  GPtrArray *shapes = g_ptr_array_new ();
  const struct table_shape *const *shape = section->tables;
  if (g_strcmp0 (section->key, table->section) == 0)
    for (; shape != NULL && *shape != NULL; shape++)
      if (strcmp ((*shape)->key, result_last_part (table->key)) == 0)
        g_ptr_array_add (shapes, (gpointer) *shape);
  return shapes;
}

void
section_put_rate (const struct report *r, enum result result, bool is_shown, uint64_t sum)
{
  const uint64_t ns = log_selected_ns (&r->s->log);
  const double rate = ns != 0 ? (double) sum * 1e9 / (double) ns : 0;
  const bool is_small = rate < 100 && rate != 0, is_slow = recording_cost_is_large (r->s);
  const struct result_value *v = &result_values[result];
  g_autofree char *slow = is_slow ? g_strconcat (v->head, ", slowed by the recording", NULL) : NULL;
  char digits[32];
  g_ascii_formatd (digits, sizeof digits, "%.3g", rate);
  const struct emitter_any cell
      = { is_small ? EMIT_REAL : EMIT_NUMBER,
          is_small ? (union emitter_value){ .real = g_ascii_strtod (digits, NULL) }
                   : (union emitter_value){ .number = whole_number (rate + 0.5) },
          NULL };
  emitter_value (r->e, result_last_part (v->key),
                 !is_shown      ? NULL
                 : slow != NULL ? slow
                                : v->head,
                 EMIT_ANY, (union emitter_value){ .any = ns != 0 ? &cell : NULL });
}

void
section_put_overflow (const struct report *r, enum result result, uint64_t sum)
{
  if (sum == UINT64_MAX && emitter_get_format (r->e) != EMITTER_CSV)
    result_text (r->e, result,
                 "a sum is too large for 64 bits, and stands at 18446744073709551615");
}

/* ---- histograms of durations ---- */

#define BAR_LENGTH 30

/* A bar of the share of all; a share above 0 has one mark at least (transfer full). */
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
  result_number (e, GC_PAUSE_TOTAL_NS, pauses->total_ns);
  result_number (e, GC_PAUSE_P50_NS, durations_at (pauses, 500));
  result_number (e, GC_PAUSE_P90_NS, durations_at (pauses, 900));
  result_number (e, GC_PAUSE_P99_NS, durations_at (pauses, 990));
  result_number (e, GC_PAUSE_MAX_NS, pauses->max_ns);
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

/* The first places, as many as --limit says, and the number of the others. */
static void
put_places (const struct report *r, const struct report_damage *d)
{
  const guint n = d->messages->len, limit = r->view->limit, shown = limit != 0 ? MIN (n, limit) : n;
  g_autoptr (GPtrArray) first = g_ptr_array_new ();
  for (guint i = 0; i < shown; i++)
    g_ptr_array_add (first, g_ptr_array_index (d->messages, i));
  emitter_texts (r->e, "messages", "What", first);
  if (d->damages > shown) {
    g_autofree char *rest
        = g_strdup_printf ("... and %" G_GUINT64_FORMAT " more places%s", d->damages - shown,
                           shown < n ? " (--limit 0 shows more)" : "");
    emitter_note (r->e, rest);
  }
}

void
section_put_damage (const struct report *r, const struct report_damage *d)
{
  struct emitter *e = r->e;
  const bool any = d->damages != 0, selected = r->view->sections != NULL;
  emitter_open (e, "damage", any || selected ? "Damage" : NULL);
  if (!any)
    emitter_note (e, "None: all that the log has could be read.");
  emitter_truth (e, "truncated", any ? "Truncated" : NULL, d->truncated);
  result_number_if (e, DAMAGE_MISSING_BYTES, any, d->missing_bytes);
  result_number_if (e, DAMAGE_SKIPPED_BYTES, any, d->skipped_bytes);
  if (d->put_more != NULL)
    d->put_more (r, any);
  result_number_if (e, DAMAGE_LOST_EVENTS, d->lost_events != 0, d->lost_events);
  put_places (r, d);
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
  { "total_ns", "Total ms", EMIT_NS },   { "self_ns", "Self ms", EMIT_NS },
  { "count", "Count", EMIT_NUMBER },     { "avg_ns", NULL, EMIT_NS },
  { "p50_ns", "p50 ms", EMIT_NS },       { "p90_ns", NULL, EMIT_NS },
  { "p99_ns", "p99 ms", EMIT_NS },       { "max_ns", "Max ms", EMIT_NS },
  { "unfinished", "Open", EMIT_NUMBER }, { "across_threads", "Across", EMIT_NUMBER },
  { "name", "Interval", EMIT_TEXT },
};
const struct table_shape section_mark_intervals_shape = { .key = "intervals",
                                                          .title = "Intervals",
                                                          TABLE_SHAPE_COLUMNS (interval_columns),
                                                          .order = TABLE_KEYS ("total_ns"),
                                                          .name = "name" };

/* Characters of a name in a table of text, at most. */
#define NAME_MAX_SHOWN 200

/* Three digits are enough in any format. */
static double
rate (uint64_t count, uint64_t duration_ns)
{
  const double seconds = (double) duration_ns / 1e9;
  return seconds > 0 ? (double) whole_number ((double) count / seconds * 1000 + 0.5) / 1000 : 0;
}

/* In text a name is a line: messages may have thousands of characters (transfer full). */
static char *
shown_name (const struct report *r, const char *name)
{
  return emitter_get_format (r->e) == EMITTER_TEXT ? text_shorten (name, NAME_MAX_SHOWN)
                                                   : g_strdup (name);
}

static void
put_names (const struct report *r, const struct marks *m, uint64_t duration_ns, uint64_t zero)
{
  struct table *t = section_table (r, &section_mark_names_shape);
  for (guint i = 0; i < m->all->len; i++) {
    const struct mark *mark = g_ptr_array_index (m->all, i);
    g_autofree char *name = shown_name (r, mark->name);
    SECTION_ROW (t, { .number = mark->count }, { .real = rate (mark->count, duration_ns) },
                 { .change = (int64_t) (mark->first - zero) },
                 { .change = (int64_t) (mark->last - zero) },
                 { .text = mark->is_message ? "message" : "mark" }, { .text = name });
  }
  table_write (t, r->e);
}

static void
put_intervals (const struct report *r, const GPtrArray *all)
{
  struct table *t = section_table (r, &section_mark_intervals_shape);
  for (guint i = 0; i < all->len; i++) {
    const struct mark_interval *v = g_ptr_array_index (all, i);
    g_autofree char *name = shown_name (r, v->name);
    SECTION_ROW (t, { .number = v->total_ns }, { .number = v->self_ns }, { .number = v->count },
                 { .number = v->count != 0 ? v->total_ns / v->count : 0 }, { .number = v->p50_ns },
                 { .number = v->p90_ns }, { .number = v->p99_ns }, { .number = v->max_ns },
                 { .number = v->unfinished }, { .number = v->across_threads }, { .text = name });
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
  const bool has_intervals = intervals.threads->len != 0;
  emitter_open (r->e, "marks", any ? "Marks and messages" : NULL);
  result_number_if (r->e, MARKS_COUNT, any, m->count);
  result_number_if (r->e, MARKS_OF_OTHER_NAMES, m->others != 0, m->others);
  result_number_if (r->e, MARKS_MISSING_AT_MOST, m->missing_at_most != 0, m->missing_at_most);
  result_number_if (r->e, MARKS_WITHOUT_INTERVAL, m->edges.lost != 0, m->edges.lost);
  result_put_known (
      r->e, MARKS_OUTSIDE_NS, has_intervals, has_intervals,
      (union emitter_value){ .number = duration_ns - MIN (duration_ns, intervals.covered_ns) });
  put_names (r, m, duration_ns, zero);
  put_intervals (r, intervals.all);
  if (put_threads != NULL)
    put_threads (r, intervals.threads);
  emitter_close (r->e);
  marks_clear_intervals (&intervals);
  if (!any)
    section_absent_rare (r, "Marks and messages");
}

struct section_interval
section_estimate (uint64_t amount, double variance)
{
  const struct chance_interval parts = chance_estimate ((double) amount, variance);
  const double error = (parts.high - parts.low) / 2;
  struct section_interval i = { .low = whole_number (parts.low * (double) amount),
                                .high = whole_number (ceil (parts.high * (double) amount)),
                                .error = "" };
  if (error > 0.1)
    g_snprintf (i.error, sizeof i.error, "%.0f %%", 100 * error);
  return i;
}

struct section_interval
section_interval (uint64_t part, uint64_t whole, double samples)
{
  if (samples <= 0 || whole == 0) /* nothing is estimated */
    return (struct section_interval){ .low = part, .high = part, .error = "" };
  const double share = (double) part / (double) whole;
  const struct chance_interval bounds = chance_share (share * samples, samples);
  const double error = (bounds.high - bounds.low) / 2;
  struct section_interval i = { .low = (uint64_t) (bounds.low * (double) whole),
                                .high = (uint64_t) ceil (bounds.high * (double) whole),
                                .error = "" };
  if (part != 0 && error > share / 10)
    g_snprintf (i.error, sizeof i.error, "%.1f", 100 * error);
  return i;
}
