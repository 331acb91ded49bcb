/* monitors.c -- pairs contention with its end. */
#include "decoder/analyses/monitors.h"
#include "config.h"

void
monitors_init (struct monitors *m)
{
  *m = (struct monitors){
    .objects = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free),
  };
  trace_sums_init (&m->traces);
}

void
monitors_clear (struct monitors *m)
{
  g_hash_table_destroy (m->objects);
  trace_sums_clear (&m->traces);
}

static struct monitor_sum *
sum_of (struct monitors *m, uint64_t object)
{
  struct monitor_sum *sum = g_hash_table_lookup (m->objects, &object);
  if (sum == NULL) {
    sum = g_new0 (struct monitor_sum, 1);
    sum->object = object;
    sum->number = g_hash_table_size (m->objects);
    g_hash_table_insert (m->objects, &sum->object, sum);
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

void
monitors_event (struct monitors *m, struct thread *t, const struct mlpd_monitor *event,
                bool type_known, guint type, guint trace)
{
  struct monitor_sum *sum = sum_of (m, event->object);
  if (type_known) {
    sum->type_known = true;
    sum->type = type;
  }
  uint64_t wait_ns = 0;
  if (event->event == MLPD_MONITOR_EVENT_CONTENTION) {
    t->waiting = true;
    t->wait_start = event->time;
    if (trace != TRACE_NONE)
      trace_sums_add (&m->traces, sum->number, trace, 1, 0);
  } else if (t->waiting) {
    t->waiting = false;
    wait_ns = span_ns (t->wait_start, event->time);
  }
  add (sum, event->event, wait_ns);
  add (&m->all, event->event, wait_ns);
}

void
monitors_resolve (struct monitors *m, struct symbols *symbols)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, m->objects);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    struct monitor_sum *sum = value;
    if (sum->type_known)
      sum->type = type_class (symbols, sum->type);
  }
}
