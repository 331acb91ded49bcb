/* log-spans.c -- the events of a log that spans are charged with. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-ordered.h"
#include "decoder/log/log-passes.h"
#include "decoder/mlpd/analyses/program-spans.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/mlpd-origin.h"

#include <string.h>

struct charging {
  struct ordered_log *log;
  struct span_costs *costs;
  bool has_sampling;
  uint64_t sampling; /* of allocations: one in this many bytes; 0: all are in the log */
};

static struct span_thread *
thread_of (const struct charging *f, const struct mlpd_item *item, uint64_t time)
{
  const uint64_t id = item->buffer->thread;
  const bool counts = span_costs_has_thread (f->costs, id)
                      || buffer_filter_has_thread (&f->log->mono.filter, id, item->offset);
  return span_costs_thread (f->costs, id, time, counts);
}

static void
allocate (struct charging *f, struct span_thread *t, const struct mlpd_item *item)
{
  const uint64_t size = item->payload->alloc.size;
  struct type_sum sum = { 1, size };
  if (!f->has_sampling)
    f->sampling = mlpd_header_alloc_sampling (item->header);
  f->has_sampling = true;
  f->costs->is_sampled = f->sampling != 0;
  if (f->sampling != 0)
    sum = allocation_estimate (size, f->sampling);
  span_costs_add (t, SPAN_OBJECTS, sum.objects);
  span_costs_add (t, SPAN_BYTES, sum.bytes);
}

static void
collect (struct charging *f, const struct mlpd_gc_event *event)
{
  if (event->event == MLPD_GC_EVENT_PRE_STOP_WORLD)
    span_costs_stop_world (f->costs, event->time);
  else if (event->event == MLPD_GC_EVENT_POST_START_WORLD)
    span_costs_start_world (f->costs, event->time);
}

/* Those that do not count move spans and threads alone. */
static void
charge (struct charging *f, struct span_thread *t, const struct mlpd_item *item, uint64_t time)
{
  const bool counts = buffer_filter_has_time (&f->log->mono.filter, time);
  const union mlpd_payload *p = item->payload;
  struct mlpd_program_span span;
  switch (item->kind) {
  case MLPD_ALLOC:
    if (counts)
      allocate (f, t, item);
    break;
  case MLPD_EXCEPTION_THROW:
    if (counts)
      span_costs_add (t, SPAN_EXCEPTIONS, 1);
    break;
  case MLPD_MONITOR:
    if (counts)
      span_costs_lock (t, time, p->monitor.event == MLPD_MONITOR_EVENT_CONTENTION);
    break;
  case MLPD_GC_EVENT:
    collect (f, &p->gc_event);
    break;
  case MLPD_METADATA_THREAD:
    if (p->metadata_thread.action == MLPD_LOAD_END_UNLOAD
        && p->metadata_thread.thread == item->buffer->thread)
      span_costs_end_thread (f->costs, t, time);
    break;
  case MLPD_SAMPLE_COUNTERS:
    if (mlpd_program_span_of (item->kind, p, &span))
      span_costs_edge (f->costs, t, time, &span);
    break;
  default:
    break;
  }
}

static bool
handle_item (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct charging *f = data;
  uint64_t number;
  const char *name = mlpd_program_span_announced (item->kind, item->payload, &number);
  if (name != NULL)
    span_costs_name (f->costs, number, name);
  if (!mlpd_is_context (item->buffer) && !mlpd_is_reannounced (item->buffer))
    charge (f, thread_of (f, item, time), item, time);
  return true;
}

/* Of waits without a method that states their purpose. */
static void
name_waits (GArray *hits, const struct samples *samples)
{
  for (guint i = 0; i < hits->len; i++) {
    struct span_hit *hit = &g_array_index (hits, struct span_hit, i);
    const enum wait_kind kind = hit->kind == WAIT_OTHER && hit->wait_ns != 0
                                    ? wait_kind_of_function (samples_native_name (samples, hit->ip))
                                    : WAIT_NONE;
    if (kind != WAIT_NONE)
      hit->kind = kind;
  }
}

static void
set_hits (const struct summary *summary, const struct program_spans *spans,
          struct span_costs *costs)
{
  GHashTableIter i;
  gpointer thread, hits;
  g_hash_table_iter_init (&i, spans->hits);
  while (g_hash_table_iter_next (&i, &thread, &hits)) {
    name_waits (hits, SUMMARY_STATE (summary, samples));
    span_costs_set_hits (costs, *(const uint64_t *) thread, hits);
    g_hash_table_iter_steal (&i);
    g_free (thread);
  }
}

static bool
is_wanted (const void *places, uint64_t thread, uint64_t time)
{
  return span_places_has (places, thread, time);
}

static void
set_lives (const struct summary *summary, struct span_costs *costs)
{
  const GPtrArray *all = summary->threads.all;
  for (guint i = 0; i < all->len; i++) {
    const struct thread *t = g_ptr_array_index (all, i);
    if (t->events != 0)
      span_costs_add_life (costs, t->id, (struct span_life){ t->start, t->end });
  }
}

int
log_spans_read (struct log_command *c, const char *path, struct summary *summary)
{
  struct program_spans *spans = SUMMARY_STATE (summary, program_spans);
  int status = CLI_OK;
  if (spans->edges == 0 || strcmp (path, "-") == 0)
    return CLI_OK;
  struct charging f = { .log = ordered_log_open (c, path, false, &status), .costs = &spans->costs };
  if (f.log == NULL)
    return status;
  const struct buffer_filter *filter = &f.log->mono.filter;
  const bool has_times = filter->from != 0 || filter->to != 0;
  span_costs_init (f.costs, has_times ? filter->from : 0, has_times ? filter->to : UINT64_MAX);
  spans->has_costs = true;
  if (filter->places != NULL) {
    f.costs->is_wanted = is_wanted;
    f.costs->wanted_data = filter->places;
  }
  set_lives (summary, f.costs);
  set_hits (summary, spans, f.costs);
  mlpd_order_events (&f.log->mono.order, f.log->input, handle_item, &f);
  span_costs_finish (f.costs);
  ordered_log_close (f.log);
  return status;
}
