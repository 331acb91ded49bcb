/* ghc-report-scheduling.c -- see report-ghc-threads.h. */
#include "decoder/views/ghc-report-scheduling.h"
#include "config.h"

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

/* A column for each reason, in the order of enum ghc_wait, behind those of every thread. */
static const struct emitter_column thread_columns[] = {
  { "id", "Thread", EMIT_NUMBER },
  { "run_ns", "Runs ms", EMIT_NS },
  { "runnable_ns", "Could run ms", EMIT_NS },
  { "blocked_ns", "Blocked ms", EMIT_NS },
  { "runs", "Runs", EMIT_NUMBER },
  { "wakes", "Woken", EMIT_NUMBER },
  { "wake_average_ns", "Until it runs ms", EMIT_NS },
  { "wake_max_ns", "Longest ms", EMIT_NS },
  { "migrations", "Moves", EMIT_NUMBER },
  { "state", "At the end", EMIT_TEXT },
  { "label", "Label", EMIT_TEXT },
  { "cap", NULL, EMIT_NUMBER },
  { "made_by", NULL, EMIT_NUMBER },
  { "made_ns", NULL, EMIT_TIME },
  { "finished_ns", NULL, EMIT_ANY },
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
                                                  .title = "Threads by time",
                                                  TABLE_SHAPE_COLUMNS (thread_columns),
                                                  .order = TABLE_KEYS ("run_ns", "id"),
                                                  .name = "label",
                                                  .time = "run_ns" };

static const struct emitter_column waker_columns[] = {
  { "count", "Times", EMIT_NUMBER },       { "total_ns", "Had waited ms", EMIT_NS },
  { "waker", "Thread", EMIT_ANY },         { "waker_label", "Label", EMIT_TEXT },
  { "woken", "Woke thread", EMIT_NUMBER }, { "woken_label", "Label", EMIT_TEXT },
};
static const struct table_shape wakers_shape
    = { .key = "wakers",
        .title = "Who wakes whom",
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

const struct table_shape *const ghc_report_scheduling_tables[]
    = { &waits_shape, &threads_shape, &wakers_shape, &owners_shape, NULL };

#define ROW(table, ...) table_add ((table), (const union emitter_value[]){ __VA_ARGS__ })

static uint64_t
blocked_ns (const struct ghc_thread *thread)
{
  uint64_t ns = 0;
  for (unsigned i = 0; i < GHC_WAITS; i++)
    ns += i != GHC_WAIT_CPU ? thread->waits[i].total_ns : 0;
  return ns;
}

static void
put_waits (struct emitter *e, const struct view *view, const struct ghc_thread *sum)
{
  struct table *t = table_new (&waits_shape, view);
  for (unsigned i = 0; i < GHC_WAITS; i++) {
    const struct ghc_wait_sum *wait = &sum->waits[i];
    if (wait->count != 0 || wait->total_ns != 0)
      ROW (t, { .text = ghc_wait_name (i) }, { .number = wait->total_ns },
           { .number = wait->max_ns }, { .number = wait->count });
  }
  table_write (t, e);
}

static char *
state_of (const struct ghc_thread *thread)
{
  switch (thread->state) {
  case GHC_THREAD_WAITS:
    return g_strdup (thread->wait == GHC_WAIT_CPU ? "could run" : ghc_wait_name (thread->wait));
  case GHC_THREAD_RUNS:
    return g_strdup ("runs");
  case GHC_THREAD_FINISHED:
    return g_strdup ("finished");
  default:
    return g_strdup ("unknown");
  }
}

static uint64_t
average (const struct ghc_wait_sum *sum)
{
  return sum->count != 0 ? sum->total_ns / sum->count : 0;
}

static void
add_thread (struct table *t, const struct ghc_thread *thread, const struct emitter_any *finished)
{
  char *state = state_of (thread);
  const struct ghc_wait_sum *w = thread->waits;
  ROW (t, { .number = thread->id }, { .number = thread->run_ns },
       { .number = w[GHC_WAIT_CPU].total_ns }, { .number = blocked_ns (thread) },
       { .number = thread->runs }, { .number = thread->wakes.count },
       { .number = average (&thread->wakes) }, { .number = thread->wakes.max_ns },
       { .number = thread->migrations }, { .text = state }, { .text = thread->label },
       { .number = thread->cap }, { .number = thread->maker }, { .number = thread->made },
       { .any = thread->finished != 0 ? finished : NULL }, { .number = w[GHC_WAIT_MVAR].total_ns },
       { .number = w[GHC_WAIT_READ_MVAR].total_ns }, { .number = w[GHC_WAIT_BLACK_HOLE].total_ns },
       { .number = w[GHC_WAIT_READ].total_ns }, { .number = w[GHC_WAIT_WRITE].total_ns },
       { .number = w[GHC_WAIT_DELAY].total_ns }, { .number = w[GHC_WAIT_STM].total_ns },
       { .number = w[GHC_WAIT_FOREIGN_CALL].total_ns }, { .number = w[GHC_WAIT_THROW_TO].total_ns },
       { .number = w[GHC_WAIT_OTHER].total_ns });
  g_free (state);
}

static void
put_threads (struct emitter *e, const struct view *view, const struct ghc_threads *threads)
{
  GPtrArray *all = ghc_threads_all (threads);
  struct emitter_any *finished = g_new (struct emitter_any, all->len + 1);
  struct table *t = table_new (&threads_shape, view);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    finished[i] = (struct emitter_any){ .type = EMIT_NUMBER, .value.number = thread->finished };
    if (selection_has_thread (view->selection, thread->id, thread->label))
      add_thread (t, thread, &finished[i]);
  }
  table_write (t, e);
  g_free (finished);
  g_ptr_array_unref (all);
}

/* Pairs of threads: what comes first in a row differs. */
static void
put_pairs (struct emitter *e, const struct view *view, const struct ghc_threads *threads,
           const struct table_shape *shape, GHashTable *pairs)
{
  GPtrArray *all = ghc_threads_pairs (pairs);
  struct emitter_any *from = g_new (struct emitter_any, all->len + 1);
  struct table *t = table_new (shape, view);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread_pair *p = g_ptr_array_index (all, i);
    const char *label = ghc_threads_label (threads, p->to);
    const char *from_label = ghc_threads_label (threads, p->from);
    from[i] = (struct emitter_any){ .type = EMIT_NUMBER, .value.number = p->from };
    const union emitter_value count = { .number = p->count }, ns = { .number = p->total_ns };
    const bool by_time = shape == &owners_shape;
    if (selection_has_thread (view->selection, p->to, label)
        || (p->from != 0 && selection_has_thread (view->selection, p->from, from_label)))
      ROW (t, by_time ? ns : count, by_time ? count : ns, { .any = p->from != 0 ? &from[i] : NULL },
           { .text = from_label }, { .number = p->to }, { .text = label });
  }
  table_write (t, e);
  g_free (from);
  g_ptr_array_unref (all);
}

void
ghc_report_scheduling_put (struct emitter *e, const struct view *view,
                           const struct ghc_threads *threads)
{
  struct ghc_thread sum;
  ghc_threads_sum (threads, &sum);
  emitter_open (e, "scheduling", sum.runs != 0 || sum.run_ns != 0 ? "Scheduling" : NULL);
  emitter_ns (e, "run_ns", "Threads ran, in total", sum.run_ns);
  emitter_ns (e, "runnable_ns", "Could run", sum.waits[GHC_WAIT_CPU].total_ns);
  emitter_ns (e, "blocked_ns", "Were blocked", blocked_ns (&sum));
  emitter_number (e, "runs", "Runs", sum.runs);
  emitter_number (e, "migrations", "Moves to another capability", sum.migrations);
  emitter_number (e, "wakes", "Woken up", sum.wakes.count);
  emitter_ns (e, "wake_average_ns", "Until they ran, on average", average (&sum.wakes));
  emitter_ns (e, "wake_max_ns", "Until they ran, longest", sum.wakes.max_ns);
  emitter_number (e, "folded_threads",
                  threads->folded != 0 ? "Threads that are only in the sums" : NULL,
                  threads->folded);
  put_waits (e, view, &sum);
  put_threads (e, view, threads);
  put_pairs (e, view, threads, &wakers_shape, threads->wakers);
  put_pairs (e, view, threads, &owners_shape, threads->owners);
  emitter_close (e);
}
