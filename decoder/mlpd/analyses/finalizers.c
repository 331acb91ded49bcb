/* finalizers.c -- pairs starts and ends. */
#include "config.h"

#include "decoder/mlpd/analyses/finalizers.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/model/threads.h"

void
finalizers_init (struct finalizers *f)
{
  *f = (struct finalizers){ .threads = g_ptr_array_new_with_free_func (g_free),
                            .by_id = g_hash_table_new (g_int64_hash, g_int64_equal) };
}

void
finalizers_clear (struct finalizers *f)
{
  g_hash_table_destroy (f->by_id);
  g_ptr_array_free (f->threads, TRUE);
}

static struct finalizer_sum *
sum_of (struct finalizers *f, uint64_t thread)
{
  struct finalizer_sum *sum = g_hash_table_lookup (f->by_id, &thread);
  if (sum == NULL) {
    sum = g_new0 (struct finalizer_sum, 1);
    sum->thread = thread;
    g_ptr_array_add (f->threads, sum);
    g_hash_table_insert (f->by_id, &sum->thread, sum);
  }
  return sum;
}

static void
start (struct finalizer_span *span, struct finalizer_span *all, uint64_t time)
{
  span->count++;
  all->count++;
  span->running = true;
  span->start = time;
}

static void
add (struct finalizer_span *span, uint64_t ns)
{
  span->total_ns += ns;
  span->max_ns = MAX (span->max_ns, ns);
}

static void
end (struct finalizer_span *span, struct finalizer_span *all, uint64_t time)
{
  if (!span->running)
    return;
  span->running = false;
  add (span, span_ns (span->start, time));
  add (all, span_ns (span->start, time));
}

void
finalizers_start (struct finalizers *f, uint64_t thread, uint64_t time)
{
  start (&sum_of (f, thread)->phases, &f->all.phases, time);
}

void
finalizers_end (struct finalizers *f, uint64_t thread, uint64_t time)
{
  end (&sum_of (f, thread)->phases, &f->all.phases, time);
}

void
finalizers_object_start (struct finalizers *f, uint64_t thread, uint64_t time)
{
  start (&sum_of (f, thread)->objects, &f->all.objects, time);
}

void
finalizers_object_end (struct finalizers *f, uint64_t thread, uint64_t time)
{
  end (&sum_of (f, thread)->objects, &f->all.objects, time);
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  finalizers_init (state);
}

static void
clear (void *state)
{
  finalizers_clear (state);
}

static void
handle_start (void *state, const struct analysis_event *e)
{
  finalizers_start (state, e->thread->id, e->payload->gc_finalize_start.time);
}

static void
handle_end (void *state, const struct analysis_event *e)
{
  finalizers_end (state, e->thread->id, e->payload->gc_finalize_end.time);
}

static void
handle_object_start (void *state, const struct analysis_event *e)
{
  finalizers_object_start (state, e->thread->id, e->payload->gc_finalize_object_start.time);
}

static void
handle_object_end (void *state, const struct analysis_event *e)
{
  finalizers_object_end (state, e->thread->id, e->payload->gc_finalize_object_end.time);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_GC_FINALIZE_START, handle_start, NULL },
  { MLPD_GC_FINALIZE_END, handle_end, NULL },
  { MLPD_GC_FINALIZE_OBJECT_START, handle_object_start, NULL },
  { MLPD_GC_FINALIZE_OBJECT_END, handle_object_end, NULL },
};

const struct analysis finalizers_analysis = { .state_bytes = sizeof (struct finalizers),
                                              .init = init,
                                              .clear = clear,
                                              ANALYSIS_HANDLERS (handlers) };
