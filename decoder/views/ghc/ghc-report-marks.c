/* ghc-report-marks.c -- marks and messages of an eventlog: traceMarkerIO and traceEventIO, and the
 * intervals of threads. */
#include "config.h"

#include "decoder/ghc/ghc-running.h"
#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"

/* A thread is there from its first event to its last. */
static const struct emitter_column thread_columns[] = {
  { "covered_ns", "In intervals, ms", EMIT_NS },
  { "outside_ns", "In none, ms", EMIT_NS },
  { "intervals", "Intervals", EMIT_NUMBER },
  { "id", "Thread", EMIT_NUMBER },
  { "name", "Label", EMIT_TEXT },
};
static const struct table_shape threads_shape = { .key = "threads",
                                                  .title = "Intervals by thread",
                                                  TABLE_SHAPE_COLUMNS (thread_columns),
                                                  .order = TABLE_KEYS ("covered_ns", "id"),
                                                  .time = "covered_ns" };

/* Where no thread ran, the capability is in no row. */
static void
put_threads (const struct report *r, const GArray *threads)
{
  const struct ghc_thread_table *known = &r->ghc->thread_table;
  struct table *t = section_table (r, &threads_shape);
  for (guint i = 0; i < threads->len; i++) {
    const struct mark_thread *thread = &g_array_index (threads, struct mark_thread, i);
    const struct ghc_lifetime *life
        = ghc_running_is_thread (thread->thread)
              ? g_hash_table_lookup (known->by_id, GUINT_TO_POINTER (thread->thread))
              : NULL;
    if (life == NULL || !selection_has_thread (r->view->selection, life->id, life->labels))
      continue;
    const uint64_t lasted = life->end - life->start;
    SECTION_ROW (t, { .number = thread->covered_ns },
                 { .number = lasted - MIN (lasted, thread->covered_ns) },
                 { .number = thread->count }, { .number = life->id }, { .text = life->label });
  }
  table_write (t, r->e);
}

/* ---- spans ---- */

static const struct emitter_column span_columns[] = {
  { "duration_ns", "Duration, ms", EMIT_NS },
  { "start_ns", "Start, ms", EMIT_TIME },
  { "events", "Events", EMIT_NUMBER },
  { "thread", "Thread", EMIT_NUMBER },
  { "parent", "Part of", EMIT_TEXT },
  { "tags", "Tags", EMIT_TEXT },
  { "name", "Span", EMIT_TEXT },
};
static const struct table_shape spans_shape = { .key = "spans",
                                                .title = "Spans",
                                                TABLE_SHAPE_COLUMNS (span_columns),
                                                .order = TABLE_KEYS ("duration_ns"),
                                                .hides_zeros = true,
                                                .name = "name",
                                                .time = "duration_ns" };

/* Of a parent in another process there is only the number (transfer full). */
static char *
parent_of (const struct ghc_otel_one *span)
{
  if (span->parent != NULL)
    return g_strdup (span->parent->name);
  return span->has_parent ? g_strdup_printf ("span %016" G_GINT64_MODIFIER "x", span->parent_span)
                          : NULL;
}

static bool
is_of_selected_thread (const struct report *r, uint64_t place)
{
  const struct selection *selection = r->view->selection;
  if (selection == NULL || selection->threads == NULL)
    return true;
  const struct ghc_lifetime *life
      = ghc_running_is_thread (place)
            ? g_hash_table_lookup (r->ghc->thread_table.by_id, GUINT_TO_POINTER (place))
            : NULL;
  return life != NULL && selection_has_thread (selection, life->id, life->labels);
}

/* Those that begin and end in the selected part of the log. */
static void
put_spans (const struct report *r)
{
  const GPtrArray *all = r->ghc->spans.all;
  struct table *t = section_table (r, &spans_shape);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_otel_one *span = g_ptr_array_index (all, i);
    if (span->name == NULL || !span->has_end || !span->begin.counts || !span->end.counts
        || span->end.time < span->begin.time || !is_of_selected_thread (r, span->begin.thread))
      continue;
    g_autofree char *parent = parent_of (span);
    SECTION_ROW (t, { .number = span->end.time - span->begin.time },
                 { .change = (int64_t) span->begin.time }, { .number = span->events },
                 { .number = ghc_running_is_thread (span->begin.thread) ? span->begin.thread : 0 },
                 { .text = parent }, { .text = span->tags != NULL ? span->tags->str : NULL },
                 { .text = span->name });
  }
  table_write (t, r->e);
}

static void
put_details (const struct report *r, const GArray *threads)
{
  put_threads (r, threads);
  result_number_if (r->e, MARKS_OF_SPANS_LEFT_OUT, r->ghc->spans.left_out != 0,
                    r->ghc->spans.left_out);
  put_spans (r);
}

static void
put_marks (const struct report *r)
{
  const struct ghc_log *log = &r->ghc->log;
  struct marks marks = r->ghc->marks; /* the order of edges changes, and nothing else */
  section_put_marks (r, &marks, log->last > log->first ? log->last - log->first : 0, 0,
                     put_details);
}

const struct section ghc_section_marks
    = { .key = "marks",
        .put = put_marks,
        .features = GHC_FEATURE_MARKS | GHC_FEATURE_THREAD_TABLE,
        .tables = SECTION_TABLES (&section_mark_names_shape, &section_mark_intervals_shape,
                                  &threads_shape, &spans_shape) };
