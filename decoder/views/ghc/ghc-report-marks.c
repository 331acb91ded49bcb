/* ghc-report-marks.c -- marks and messages of an eventlog: traceMarkerIO and traceEventIO, and the
 * intervals of threads. */
#include "config.h"

#include "decoder/ghc/ghc-running.h"
#include "decoder/views/ghc/ghc-report-private.h"
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
    if (life == NULL || !selection_has_thread (r->view->selection, life->id, life->label))
      continue;
    const uint64_t lasted = life->end - life->start;
    SECTION_ROW (t, { .number = thread->covered_ns },
                 { .number = lasted - MIN (lasted, thread->covered_ns) },
                 { .number = thread->count }, { .number = life->id }, { .text = life->label });
  }
  table_write (t, r->e);
}

static void
put_marks (const struct report *r)
{
  const struct ghc_log *log = &r->ghc->log;
  struct marks marks = r->ghc->marks; /* the order of edges changes, and nothing else */
  section_put_marks (r, &marks, log->last > log->first ? log->last - log->first : 0, 0,
                     put_threads);
}

const struct section ghc_section_marks
    = { .key = "marks",
        .put = put_marks,
        .features = GHC_FEATURE_MARKS | GHC_FEATURE_THREAD_TABLE,
        .tables = SECTION_TABLES (&section_mark_names_shape, &section_mark_intervals_shape,
                                  &threads_shape) };
