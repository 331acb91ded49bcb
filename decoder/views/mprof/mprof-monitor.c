/* mprof-monitor.c -- contention on locks. */
#include "config.h"

#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/views/mprof/mprof.h"

/* A lock is known by its address here. */
struct lock {
  struct monitor_sum sum;
  const struct monitor_sum *first; /* of those at the address */
};

static int
compare_locks (const void *a, const void *b)
{
  const struct lock *const x = a, *const y = b;
  if (x->sum.wait_total_ns != y->sum.wait_total_ns)
    return x->sum.wait_total_ns < y->sum.wait_total_ns ? 1 : -1;
  return (x->sum.object > y->sum.object) - (x->sum.object < y->sum.object);
}

static GArray *
add_up_addresses (const struct monitors *m)
{
  GArray *locks = g_array_new (FALSE, FALSE, sizeof (struct lock));
  for (guint i = 0; i < m->locks->len; i++) {
    const struct monitor_sum *first = g_ptr_array_index (m->locks, i);
    if (g_hash_table_lookup (m->objects, &first->object) != first)
      continue;
    struct lock lock = { { .object = first->object }, first };
    for (const struct monitor_sum *sum = first; sum != NULL; sum = sum->other) {
      lock.sum.contentions += sum->contentions;
      lock.sum.wait_total_ns += sum->wait_total_ns;
      lock.sum.wait_max_ns = MAX (lock.sum.wait_max_ns, sum->wait_max_ns);
    }
    g_array_append_val (locks, lock);
  }
  g_array_sort (locks, compare_locks);
  return locks;
}

static void
put_traces (const struct mprof_report *r, const struct lock *lock)
{
  const struct monitors *monitors = SUMMARY_STATE (r->s, monitors);
  struct mprof_traces traces;
  mprof_traces_init (&traces, r);
  for (const struct monitor_sum *sum = lock->first; sum != NULL; sum = sum->other)
    mprof_traces_add (&traces, &monitors->traces, sum->number);
  mprof_traces_append (&traces, "contentions", TRACES_BY_COUNT);
  mprof_traces_clear (&traces);
}

static void
put_lock (const struct mprof_report *r, const struct lock *lock)
{
  const struct monitor_sum *sum = &lock->sum;
  g_string_append (r->out, "\tLock object ");
  mprof_append_address (r->out, sum->object);
  g_string_append_printf (r->out, ": %" G_GUINT64_FORMAT " contentions\n\t\t", sum->contentions);
  mprof_append_seconds (r->out, (double) sum->wait_total_ns, 6);
  g_string_append (r->out, " secs total wait time, ");
  mprof_append_seconds (r->out, (double) sum->wait_max_ns, 6);
  g_string_append (r->out, " max, ");
  if (sum->contentions != 0)
    mprof_append_seconds (r->out, (double) sum->wait_total_ns / (double) sum->contentions, 6);
  else
    g_string_append (r->out, "-nan");
  g_string_append (r->out, " average\n");
  if (r->view->traces)
    put_traces (r, lock);
}

static void
put_monitor (const struct mprof_report *r)
{
  const struct monitors *monitors = SUMMARY_STATE (r->s, monitors);
  const struct monitor_sum *all = &monitors->all;
  GArray *locks = add_up_addresses (monitors);
  if (locks->len != 0)
    g_string_append (r->out, "\nMonitor lock summary\n");
  for (guint i = 0; i < locks->len; i++)
    put_lock (r, &g_array_index (locks, struct lock, i));
  if (locks->len != 0)
    g_string_append_printf (r->out,
                            "\tLock contentions: %" G_GUINT64_FORMAT
                            "\n\tLock acquired: %" G_GUINT64_FORMAT
                            "\n\tLock failures: %" G_GUINT64_FORMAT "\n",
                            all->contentions, all->acquired, all->failed);
  g_array_unref (locks);
}

const struct mprof_section mprof_section_monitor
    = { .name = "monitor", .is_usual = true, .put = put_monitor };
