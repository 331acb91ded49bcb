/* monitors.c -- pairs contention with its end. */
#include "config.h"

#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-origin.h"

/* ---- waits by thread, lock and backtrace, and when each thread waited ---- */

/* Intervals of one thread do not overlap. */
struct lock_interval {
  uint64_t start, end;
  guint lock;
};

static guint
hash_wait (gconstpointer wait)
{
  const struct lock_wait *w = wait;
  return (g_int64_hash (&w->thread) * 31 + w->lock) * 31 + w->trace;
}

static gboolean
is_same_wait (gconstpointer a, gconstpointer b)
{
  const struct lock_wait *x = a, *y = b;
  return x->thread == y->thread && x->lock == y->lock && x->trace == y->trace;
}

static guint
hash_holder (gconstpointer holder)
{
  const struct lock_holder *h = holder;
  return (g_int64_hash (&h->thread) * 31 + (h->type.is_known ? h->type.type + 1 : 0)) * 31
         + h->trace;
}

static gboolean
is_same_holder (gconstpointer a, gconstpointer b)
{
  const struct lock_holder *x = a, *y = b;
  return x->thread == y->thread && x->type.is_known == y->type.is_known
         && (!x->type.is_known || x->type.type == y->type.type) && x->trace == y->trace;
}

static void
free_intervals (gpointer intervals)
{
  g_array_free (intervals, TRUE);
}

static void
lock_waits_init (struct lock_waits *w)
{
  *w = (struct lock_waits){
    .sums = g_hash_table_new_full (hash_wait, is_same_wait, g_free, g_free),
    .holders = g_hash_table_new_full (hash_holder, is_same_holder, g_free, g_free),
    .intervals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_intervals)
  };
}

static void
lock_waits_clear (struct lock_waits *w)
{
  g_hash_table_destroy (w->sums);
  g_hash_table_destroy (w->holders);
  g_hash_table_destroy (w->intervals);
}

/* A wait that ended. */
static void
lock_waits_add (struct lock_waits *w, const struct lock_wait *wait, uint64_t ns)
{
  struct lock_wait_sum *sum = g_hash_table_lookup (w->sums, wait);
  if (sum == NULL) {
    sum = g_new0 (struct lock_wait_sum, 1);
    g_hash_table_insert (w->sums, g_memdup2 (wait, sizeof *wait), sum);
  }
  sum->ns += ns;
  sum->max_ns = MAX (sum->max_ns, ns);
  sum->count++;
}

static struct lock_wait_sum *
sum_of_holder (struct lock_waits *w, const struct thread *t, guint trace)
{
  const struct lock_holder holder
      = { .thread = t->wait_owner, .type = t->wait_type, .trace = trace };
  struct lock_wait_sum *sum = g_hash_table_lookup (w->holders, &holder);
  if (sum == NULL) {
    sum = g_new0 (struct lock_wait_sum, 1);
    g_hash_table_insert (w->holders, g_memdup2 (&holder, sizeof holder), sum);
  }
  return sum;
}

/* The thread waited for the lock from one time to another. */
static void
lock_waits_add_interval (struct lock_waits *w, uint64_t thread, guint lock, uint64_t start,
                         uint64_t end)
{
  const struct lock_interval interval = { .start = start, .end = end, .lock = lock };
  GArray *of_thread = g_hash_table_lookup (w->intervals, &thread);
  if (of_thread == NULL) {
    of_thread = g_array_new (FALSE, FALSE, sizeof interval);
    g_hash_table_insert (w->intervals, g_memdup2 (&thread, sizeof thread), of_thread);
  }
  g_array_append_val (of_thread, interval);
}

static int
compare_starts (const void *a, const void *b)
{
  const struct lock_interval *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

/* After the last interval, before the first query. */
static void
lock_waits_sort (struct lock_waits *w)
{
  GHashTableIter iter;
  gpointer of_thread;
  g_hash_table_iter_init (&iter, w->intervals);
  while (g_hash_table_iter_next (&iter, NULL, &of_thread))
    g_array_sort (of_thread, compare_starts);
}

bool
monitors_find_wait (const struct lock_waits *w, uint64_t thread, uint64_t time, guint *lock)
{
  const GArray *of_thread = g_hash_table_lookup (w->intervals, &thread);
  guint low = 0, high = of_thread != NULL ? of_thread->len : 0;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (of_thread, struct lock_interval, middle).start <= time)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return false;
  const struct lock_interval *interval = &g_array_index (of_thread, struct lock_interval, low - 1);
  *lock = interval->lock;
  return time <= interval->end;
}

/* ---- monitors ---- */

void
monitors_init (struct monitors *m)
{
  *m = (struct monitors){ .locks = g_ptr_array_new_with_free_func (g_free),
                          .objects = g_hash_table_new (g_int64_hash, g_int64_equal) };
  trace_sums_init (&m->traces);
  lock_waits_init (&m->waits);
}

void
monitors_clear (struct monitors *m)
{
  g_hash_table_destroy (m->objects);
  g_ptr_array_unref (m->locks);
  durations_clear (&m->durations);
  trace_sums_clear (&m->traces);
  lock_waits_clear (&m->waits);
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

/* Other events than those of the format are no end. */
static bool
ends_wait_of (const struct thread *t, const struct mlpd_monitor *event)
{
  return t->waiting
         && (event->event == MLPD_MONITOR_EVENT_DONE || event->event == MLPD_MONITOR_EVENT_FAIL);
}

uint64_t
monitors_event (struct monitors *m, struct thread *t, const struct mlpd_monitor *event)
{
  uint64_t wait_ns = 0;
  if (event->event == MLPD_MONITOR_EVENT_CONTENTION) {
    t->waiting = true;
    t->wait_start = event->time;
  } else if (ends_wait_of (t, event)) {
    t->waiting = false;
    wait_ns = span_ns (t->wait_start, event->time);
    durations_add (&m->durations, wait_ns);
  }
  add (&m->all, event->event, wait_ns);
  return wait_ns;
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

/* Counts an event for its lock, whose class is known or not. */
static void
count_typed (void *state, const struct pending_typed_event *u)
{
  struct monitors *m = state;
  struct monitor_sum *sum = sum_of (m, u->object, u->type.is_known, u->type.type);
  add (sum, u->event, u->wait_ns);
  if (u->event == MLPD_MONITOR_EVENT_CONTENTION)
    trace_sums_add (&m->traces, sum->number, u->trace, 1, 0);
  if (u->is_wait)
    lock_waits_add (
        &m->waits,
        &(struct lock_wait){ .thread = u->number, .lock = sum->number, .trace = u->trace },
        u->wait_ns);
  if (u->wait_end != 0)
    lock_waits_add_interval (&m->waits, u->number, sum->number, u->wait_end - u->wait_ns,
                             u->wait_end);
}

/* Whether samples may find threads waiting: those of processor time do not. */
static bool
may_have_samples (const struct analysis_event *e)
{
  return e->version >= MLPD_VERSION_SAMPLED_THREADS
         && mlpd_header_cpu_sample_interval (&e->model->log->header) == 0;
}

/* Sections name the method of a wait with and without --traces. */
static guint
trace_of (const struct analysis_event *e)
{
  const struct analysis_model *m = e->model;
  return m->options->bounded
             ? TRACE_NONE
             : traces_add_addresses (m->traces, m->symbols, e->payload->monitor.backtrace);
}

/* A wait ended, of which the owner is known. */
static void
note_holder (struct monitors *m, struct thread *t, uint64_t time, uint64_t wait_ns)
{
  struct lock_wait_sum *sum = sum_of_holder (&m->waits, t, TRACE_NONE);
  sum->ns += wait_ns;
  sum->count++;
  t->wait_end = time;
  t->last_wait_ns = wait_ns;
}

/* Where the owner was in the wait that has just been noted. */
static void
note_place (const struct analysis_event *e, struct monitors *m)
{
  const struct mlpd_counter_values *values = &e->payload->sample_counters.values;
  g_autofree uint64_t *methods = g_new (uint64_t, values->count);
  for (size_t i = 0; i < values->count; i++) /* backtraces begin with the outermost */
    methods[values->count - 1 - i] = values->items[i].number;
  const struct mlpd_list list = { methods, values->count };
  const guint trace = traces_add_addresses (e->model->traces, e->model->symbols, list);
  struct thread *t = e->thread;
  struct lock_wait_sum *from = sum_of_holder (&m->waits, t, TRACE_NONE),
                       *to = sum_of_holder (&m->waits, t, trace);
  from->ns -= t->last_wait_ns;
  from->count--;
  to->ns += t->last_wait_ns;
  to->count++;
  t->wait_end = 0;
}

/* Values that belong to the event of a lock right before them. */
static void
handle_values (void *state, const struct analysis_event *e)
{
  const struct mlpd_sample_counters *event = &e->payload->sample_counters;
  const size_t n = event->values.count;
  struct thread *t = e->thread;
  const uint64_t index = n != 0 ? event->values.items[0].index : 0;
  if (index == MLPD_LOCK_OWNER_INDEX && t->waiting && t->wait_start == event->time)
    t->wait_owner = event->values.items[0].number;
  else if (index == MLPD_LOCK_PLACE_INDEX && !t->waiting && t->wait_owner != 0
           && t->wait_end == event->time && event->time != 0)
    note_place (e, state);
}

/* The end of a wait is about the lock that was waited for, whose type only the beginning has. */
static void
handle_monitor (void *state, const struct analysis_event *e)
{
  const struct mlpd_monitor *event = &e->payload->monitor;
  struct thread *t = e->thread;
  const bool ends_wait = ends_wait_of (t, event);
  const bool is_wait = ends_wait && !e->model->options->bounded;
  struct type_ref type = analysis_object_type (e, event->time);
  if (ends_wait && t->wait_object == event->object && !type.is_known)
    type = t->wait_type;
  const guint trace = ends_wait ? t->wait_trace : trace_of (e);
  if (event->event == MLPD_MONITOR_EVENT_CONTENTION) {
    t->wait_object = event->object;
    t->wait_type = type;
    t->wait_trace = trace;
    t->wait_owner = 0;
  }
  const uint64_t wait_ns = monitors_event (state, t, event);
  if (is_wait && t->wait_owner != 0)
    note_holder (state, t, event->time, wait_ns);
  const struct pending_typed_event u
      = { .count = count_typed,
          .state = state,
          .event = event->event,
          .object = event->object,
          .thread = t->id,
          .number = t->number,
          .wait_ns = wait_ns,
          .wait_end = is_wait && may_have_samples (e) ? event->time : 0,
          .is_wait = is_wait,
          .trace = trace,
          .type = type };
  pending_types_add (e->model->pending_types, &u);
}

/* A wait that has not ended, as of a program that was killed in it.  After a loss its end may have
 * been lost. */
static void
add_open_wait (struct monitors *m, const struct thread *t)
{
  if (t->waiting && !t->ended && t->wait_type.is_known)
    lock_waits_add_interval (&m->waits, t->number,
                             sum_of (m, t->wait_object, true, t->wait_type.type)->number,
                             t->wait_start, UINT64_MAX);
}

static void
finish (void *state, const struct analysis_model *m)
{
  struct monitors *monitors = state;
  const bool is_whole = m->log->lost_events + m->log->skipped_bytes == 0;
  for (guint i = 0; is_whole && i < m->threads->all->len; i++)
    add_open_wait (monitors, g_ptr_array_index (m->threads->all, i));
  lock_waits_sort (&monitors->waits);
}

static const struct analysis_handlers handlers[]
    = { { MLPD_MONITOR, handle_monitor, NULL }, { MLPD_SAMPLE_COUNTERS, handle_values, NULL } };

const struct analysis monitors_analysis = { .state_bytes = sizeof (struct monitors),
                                            .is_bounded = true,
                                            .init = init,
                                            .clear = clear,
                                            .finish = finish,
                                            ANALYSIS_HANDLERS (handlers) };
