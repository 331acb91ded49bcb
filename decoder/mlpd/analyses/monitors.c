/* monitors.c -- pairs contention with its end. */
#include "config.h"

#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/analyses/analysis.h"

void
monitors_init (struct monitors *m)
{
  *m = (struct monitors){ .locks = g_ptr_array_new_with_free_func (g_free),
                          .objects = g_hash_table_new (g_int64_hash, g_int64_equal) };
  trace_sums_init (&m->traces);
}

void
monitors_clear (struct monitors *m)
{
  g_hash_table_destroy (m->objects);
  g_ptr_array_unref (m->locks);
  trace_sums_clear (&m->traces);
}

static struct monitor_sum *
sum_of (struct monitors *m, uint64_t object, bool type_known, guint type)
{
  struct monitor_sum *first = g_hash_table_lookup (m->objects, &object);
  for (struct monitor_sum *sum = first; sum != NULL; sum = sum->other)
    if (sum->type_known == type_known && (!type_known || sum->type == type))
      return sum;
  struct monitor_sum *sum = g_new (struct monitor_sum, 1);
  *sum = (struct monitor_sum){
    .object = object, .number = m->locks->len, .type_known = type_known, .type = type
  };
  g_ptr_array_add (m->locks, sum);
  if (first == NULL) {
    g_hash_table_insert (m->objects, &sum->object, sum);
  } else {
    sum->other = first->other;
    first->other = sum;
  }
  return sum;
}

static void
add (struct monitor_sum *sum, uint64_t event, uint64_t wait_ns)
{
  sum->contentions += event == MLPD_MONITOR_EVENT_CONTENTION;
  sum->acquired += event == MLPD_MONITOR_EVENT_DONE;
  sum->failed += event == MLPD_MONITOR_EVENT_FAIL;
  sum->wait_total_ns += wait_ns;
  sum->wait_max_ns = MAX (sum->wait_max_ns, wait_ns);
}

uint64_t
monitors_event (struct monitors *m, struct thread *t, const struct mlpd_monitor *event)
{
  uint64_t wait_ns = 0;
  if (event->event == MLPD_MONITOR_EVENT_CONTENTION) {
    t->waiting = true;
    t->wait_start = event->time;
  } else if (t->waiting) {
    t->waiting = false;
    wait_ns = span_ns (t->wait_start, event->time);
  }
  add (&m->all, event->event, wait_ns);
  return wait_ns;
}

void
monitors_add (struct monitors *m, uint64_t object, bool type_known, guint type, uint64_t event,
              uint64_t wait_ns, guint trace)
{
  struct monitor_sum *sum = sum_of (m, object, type_known, type);
  add (sum, event, wait_ns);
  if (event == MLPD_MONITOR_EVENT_CONTENTION)
    trace_sums_add (&m->traces, sum->number, trace, 1, 0);
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  monitors_init (state);
}

static void
clear (void *state)
{
  monitors_clear (state);
}

static void
count_typed (void *state, const struct pending_typed_event *u)
{
  monitors_add (state, u->object, u->type.is_known, u->type.type, u->event, u->wait_ns, u->trace);
}

/* The end of a wait is about the lock that was waited for, whose type only the beginning has. */
static void
handle_monitor (void *state, const struct analysis_event *e)
{
  const struct mlpd_monitor *event = &e->payload->monitor;
  struct thread *t = e->thread;
  const bool ends_wait = t->waiting && event->event != MLPD_MONITOR_EVENT_CONTENTION
                         && t->wait_object == event->object;
  struct type_ref type = analysis_object_type (e, event->time);
  if (ends_wait && !type.is_known)
    type = t->wait_type;
  t->wait_object = event->object;
  t->wait_type = type;
  const uint64_t wait_ns = monitors_event (state, t, event);
  const struct pending_typed_event u = { .count = count_typed,
                                         .state = state,
                                         .event = event->event,
                                         .object = event->object,
                                         .thread = t->id,
                                         .wait_ns = wait_ns,
                                         .trace = analysis_trace (e, event->backtrace),
                                         .type = type };
  pending_types_add (e->model->pending_types, &u);
}

static const struct analysis_handlers handlers[] = { { MLPD_MONITOR, handle_monitor, NULL } };

const struct analysis monitors_analysis
    = { .is_bounded = true, .init = init, .clear = clear, ANALYSIS_HANDLERS (handlers) };
