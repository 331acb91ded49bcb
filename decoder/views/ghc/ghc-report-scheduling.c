/* ghc-report-scheduling.c -- the states of the threads of an eventlog over time. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/page-matrix.h"
#include "decoder/views/result.h"

static const struct emitter_column wait_columns[] = {
  { "reason", "Waiting for", EMIT_TEXT },
  { "total_ns", "Total ms", EMIT_NS },
  { "max_ns", "Longest ms", EMIT_NS },
  { "count", "Times", EMIT_NUMBER },
};
static const struct table_shape waits_shape = { .key = "waits",
                                                .title = "Waits of threads",
                                                TABLE_SHAPE_COLUMNS (wait_columns),
                                                .order = TABLE_KEYS ("total_ns", "count"),
                                                .whole = true,
                                                .time = "total_ns",
                                                .name = "reason" };

/* For programs a column for each reason to wait. */
static const struct emitter_column thread_columns[] = {
  { "id", "Thread", EMIT_NUMBER },
  { "run_ns", "Runs ms", EMIT_NS },
  { "runnable_ns", "Could run ms", EMIT_NS },
  { "blocked_ns", "Blocked ms", EMIT_NS },
  { "runs", "Runs", EMIT_NUMBER },
  { "wakes", "Woken", EMIT_NUMBER },
  { "wake_average_ns", "Wake to run ms", EMIT_NS },
  { "wake_max_ns", "Longest ms", EMIT_NS },
  { "migrations", "Moves", EMIT_NUMBER },
  { "state", "At the end", EMIT_TEXT },
  { "label", "Label", EMIT_TEXT },
  { "start_ns", NULL, EMIT_NS },
  { "end_ns", NULL, EMIT_NS },
  { "events", NULL, EMIT_NUMBER },
  { "cap", NULL, EMIT_ANY },
  { "made_by", NULL, EMIT_ANY },
  { "mvar_ns", NULL, EMIT_NS },
  { "read_mvar_ns", NULL, EMIT_NS },
  { "black_hole_ns", NULL, EMIT_NS },
  { "read_ns", NULL, EMIT_NS },
  { "write_ns", NULL, EMIT_NS },
  { "delay_ns", NULL, EMIT_NS },
  { "stm_ns", NULL, EMIT_NS },
  { "foreign_call_ns", NULL, EMIT_NS },
  { "throw_to_ns", NULL, EMIT_NS },
  { "other_ns", NULL, EMIT_NS },
};
static const struct table_shape threads_shape = { .key = "threads",
                                                  .title = "Threads",
                                                  TABLE_SHAPE_COLUMNS (thread_columns),
                                                  .hides_zeros = true,
                                                  .order = TABLE_KEYS ("run_ns", "events", "id"),
                                                  .name = "label" };

static const struct emitter_column waker_columns[] = {
  { "count", "Times", EMIT_NUMBER },       { "total_ns", "Had waited ms", EMIT_NS },
  { "waker", "Thread", EMIT_ANY },         { "waker_label", "Label", EMIT_TEXT },
  { "woken", "Woke thread", EMIT_NUMBER }, { "woken_label", "Label", EMIT_TEXT },
};
static const struct table_shape wakers_shape
    = { .key = "wakers",
        .title = "Wakeups between threads",
        TABLE_SHAPE_COLUMNS (waker_columns),
        .order = TABLE_KEYS ("count", "total_ns", "woken", "waker"),
        .name = "woken_label",
        .time = "total_ns" };

static const struct emitter_column owner_columns[] = {
  { "total_ns", "Waited ms", EMIT_NS },
  { "count", "Times", EMIT_NUMBER },
  { "owner", "Owner", EMIT_ANY },
  { "owner_label", "Label", EMIT_TEXT },
  { "thread", "Thread that waits", EMIT_NUMBER },
  { "thread_label", "Label", EMIT_TEXT },
};
static const struct table_shape owners_shape
    = { .key = "black_holes",
        .title = "Black holes",
        TABLE_SHAPE_COLUMNS (owner_columns),
        .order = TABLE_KEYS ("total_ns", "count", "thread", "owner"),
        .name = "thread_label",
        .time = "total_ns" };

static uint64_t
blocked_ns (const struct ghc_thread *thread)
{
  uint64_t ns = 0;
  for (unsigned i = 0; i < GHC_WAITS; i++)
    ns += i != GHC_WAIT_CPU ? thread->waits[i].total_ns : 0;
  return ns;
}

/* ---- each thread ---- */

static const char *
state_of (const struct ghc_thread *thread)
{
  switch (thread->end_state) {
  case GHC_THREAD_WAITS:
    return thread->end_wait == GHC_WAIT_CPU ? "runnable" : ghc_wait_name (thread->end_wait);
  case GHC_THREAD_RUNS:
    return "running";
  case GHC_THREAD_FINISHED:
    return "finished";
  default:
    return NULL;
  }
}

static void
add_thread (struct table *t, const struct ghc_lifetime *lifetime, const struct ghc_thread *thread,
            struct emitter_any cells[2])
{
  const struct ghc_wait_sum *w = thread->waits;
  cells[0] = (struct emitter_any){ EMIT_NUMBER, { .number = thread->cap }, NULL };
  cells[1] = (struct emitter_any){ EMIT_NUMBER, { .number = thread->maker }, NULL };
  SECTION_ROW (
      t, { .number = lifetime->id }, { .number = thread->run_ns },
      { .number = w[GHC_WAIT_CPU].total_ns }, { .number = blocked_ns (thread) },
      { .number = thread->runs }, { .number = thread->wakes.count },
      { .number = ghc_mean (thread->wakes.total_ns, thread->wakes.count) },
      { .number = thread->wakes.max_ns }, { .number = thread->migrations },
      { .text = state_of (thread) }, { .text = lifetime->label }, { .number = lifetime->start },
      { .number = lifetime->end }, { .number = lifetime->events },
      { .any = thread->cap != GHC_NO_CAP ? &cells[0] : NULL },
      { .any = thread->maker != 0 ? &cells[1] : NULL }, { .number = w[GHC_WAIT_MVAR].total_ns },
      { .number = w[GHC_WAIT_READ_MVAR].total_ns }, { .number = w[GHC_WAIT_BLACK_HOLE].total_ns },
      { .number = w[GHC_WAIT_READ].total_ns }, { .number = w[GHC_WAIT_WRITE].total_ns },
      { .number = w[GHC_WAIT_DELAY].total_ns }, { .number = w[GHC_WAIT_STM].total_ns },
      { .number = w[GHC_WAIT_FOREIGN_CALL].total_ns }, { .number = w[GHC_WAIT_THROW_TO].total_ns },
      { .number = w[GHC_WAIT_OTHER].total_ns });
}

static void
put_threads (const struct report *r)
{
  static const struct ghc_thread unknown = { .cap = GHC_NO_CAP };
  const bool is_folded = r->ghc->threads.folded != 0;
  GPtrArray *all = ghc_thread_table_all (&r->ghc->thread_table);
  struct emitter_any *cells = g_new (struct emitter_any, 2 * (gsize) all->len + 1);
  struct table *t = section_table (r, &threads_shape);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_lifetime *lifetime = g_ptr_array_index (all, i);
    const struct ghc_thread *thread = ghc_threads_find (&r->ghc->threads, lifetime->id);
    if ((thread != NULL || !is_folded) /* its times are only in the sums */
        && selection_has_thread (r->view->selection, lifetime->id, lifetime->labels))
      add_thread (t, lifetime, thread != NULL ? thread : &unknown, &cells[2 * (gsize) i]);
  }
  table_write (t, r->e);
  g_free (cells);
  g_ptr_array_unref (all);
}

const struct section ghc_section_thread_times
    = { .key = "threads",
        .alias = "thread",
        .put = put_threads,
        .tables = SECTION_TABLES (&threads_shape),
        .features = GHC_FEATURE_THREAD_TABLE | GHC_FEATURE_THREADS };

/* ---- all of them ---- */

static void
put_waits (const struct report *r, const struct ghc_thread *sum)
{
  struct table *t = section_table (r, &waits_shape);
  for (unsigned i = 0; i < GHC_WAITS; i++) {
    const struct ghc_wait_sum *wait = &sum->waits[i];
    if (wait->count != 0 || wait->total_ns != 0)
      SECTION_ROW (t, { .text = ghc_wait_name (i) }, { .number = wait->total_ns },
                   { .number = wait->max_ns }, { .number = wait->count });
  }
  table_write (t, r->e);
}

static bool
is_requested (const struct report *r, uint32_t id)
{
  const struct ghc_thread *thread = ghc_threads_find (&r->ghc->threads, id);
  return selection_has_thread (r->view->selection, id, thread != NULL ? thread->labels : NULL);
}

/* Is one of a pair of threads requested? */
static bool
has_pair (const struct report *r, const struct ghc_thread_pair *pair)
{
  return is_requested (r, pair->to) || (pair->from != 0 && is_requested (r, pair->from));
}

/* Pairs of threads; the first column of a row differs. */
static void
put_pairs (const struct report *r, const struct table_shape *shape,
           const struct ghc_thread_pairs *pairs)
{
  const struct ghc_threads *threads = &r->ghc->threads;
  GPtrArray *all = ghc_threads_pairs (pairs);
  struct emitter_any *from = g_new (struct emitter_any, all->len + 1);
  struct table *t = section_table (r, shape);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread_pair *p = g_ptr_array_index (all, i);
    const union emitter_value count = { .number = p->count }, ns = { .number = p->total_ns };
    const bool by_time = shape == &owners_shape;
    from[i] = (struct emitter_any){ EMIT_NUMBER, { .number = p->from }, NULL };
    if (has_pair (r, p))
      SECTION_ROW (t, by_time ? ns : count, by_time ? count : ns,
                   { .any = p->from != 0 ? &from[i] : NULL },
                   { .text = ghc_threads_label (threads, p->from) }, { .number = p->to },
                   { .text = p->to != 0 ? ghc_threads_label (threads, p->to) : "(others)" });
  }
  table_write (t, r->e);
  g_free (from);
  g_ptr_array_unref (all);
}

/* The name of a thread in a matrix (transfer full). */
static char *
thread_name (const struct ghc_threads *threads, uint32_t id)
{
  const char *label = ghc_threads_label (threads, id);
  return id == 0         ? g_strdup ("no thread")
         : label != NULL ? g_strdup_printf ("%u %s", id, label)
                         : g_strdup_printf ("%u", id);
}

static void
put_matrix (const struct report *r, const char *title, const char *columns,
            const struct ghc_thread_pairs *pairs)
{
  const struct ghc_threads *threads = &r->ghc->threads;
  struct page_matrix *matrix = page_matrix_new (r);
  g_autoptr (GPtrArray) all = ghc_threads_pairs (pairs);
  for (guint i = 0; matrix != NULL && i < all->len; i++) {
    const struct ghc_thread_pair *p = g_ptr_array_index (all, i);
    g_autofree char *from = thread_name (threads, p->from);
    g_autofree char *to = p->to != 0 ? thread_name (threads, p->to) : g_strdup ("(others)");
    if (has_pair (r, p))
      page_matrix_add (matrix, to, from, p->total_ns, p->count);
  }
  page_matrix_put (matrix, "scheduling", title, "Thread that waits", columns);
}

static void
put_scheduling (const struct report *r)
{
  const struct ghc_threads *threads = &r->ghc->threads;
  struct ghc_thread sum;
  ghc_threads_sum (threads, &sum);
  const bool waits = sum.waits[GHC_WAIT_CPU].total_ns != 0 || blocked_ns (&sum) != 0;
  section_open (r, "scheduling", "Scheduling", sum.runs != 0 || sum.run_ns != 0 || waits);
  result_number (r->e, SCHEDULING_RUN_NS, sum.run_ns);
  /* Else they are of threads that are not selected, too. */
  const bool is_whole = ghc_threads_has_rest (threads);
  result_put_known (r->e, SCHEDULING_BUSY_NS, is_whole, is_whole,
                    (union emitter_value){ .number = threads->busy_ns });
  result_put_known (r->e, SCHEDULING_PARALLEL_NS, is_whole, is_whole,
                    (union emitter_value){ .number = threads->parallel_ns });
  result_number (r->e, SCHEDULING_RUNNABLE_NS, sum.waits[GHC_WAIT_CPU].total_ns);
  result_number (r->e, SCHEDULING_BLOCKED_NS, blocked_ns (&sum));
  result_number (r->e, SCHEDULING_RUNS, sum.runs);
  result_number (r->e, SCHEDULING_MIGRATIONS, sum.migrations);
  result_number (r->e, SCHEDULING_WAKES, sum.wakes.count);
  result_number (r->e, SCHEDULING_WAKE_AVERAGE_NS, ghc_mean (sum.wakes.total_ns, sum.wakes.count));
  result_number (r->e, SCHEDULING_WAKE_MAX_NS, sum.wakes.max_ns);
  result_number_if (r->e, SCHEDULING_FOLDED_THREADS, threads->folded != 0, threads->folded);
  put_waits (r, &sum);
  put_pairs (r, &wakers_shape, &threads->wakers);
  put_pairs (r, &owners_shape, &threads->owners);
  put_matrix (r, "Who wakes whom", "Each thread that waited, and the threads that woke it up.",
              &threads->wakers);
  put_matrix (r, "Who waits for whose black holes",
              "Each thread that waited for a value, and the threads that computed it.",
              &threads->owners);
  emitter_close (r->e);
}

const struct section ghc_section_scheduling
    = { .key = "scheduling",
        .put = put_scheduling,
        .tables = SECTION_TABLES (&waits_shape, &wakers_shape, &owners_shape),
        .features = GHC_FEATURE_THREADS };
