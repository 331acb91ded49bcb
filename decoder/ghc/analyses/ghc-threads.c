/* ghc-threads.c -- follows the state of each thread in order of time. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-threads.h"

static const char *const wait_names[GHC_WAITS] = {
  [GHC_WAIT_CPU] = "capability",
  [GHC_WAIT_MVAR] = "mvar",
  [GHC_WAIT_READ_MVAR] = "read-mvar",
  [GHC_WAIT_BLACK_HOLE] = "black-hole",
  [GHC_WAIT_READ] = "read",
  [GHC_WAIT_WRITE] = "write",
  [GHC_WAIT_DELAY] = "delay",
  [GHC_WAIT_STM] = "stm",
  [GHC_WAIT_FOREIGN_CALL] = "foreign-call",
  [GHC_WAIT_THROW_TO] = "throw-to",
  [GHC_WAIT_OTHER] = "other",
};

const char *
ghc_wait_name (enum ghc_wait wait)
{
  return wait_names[wait];
}

static enum ghc_wait
wait_kind (unsigned status, bool is_7_8_2)
{
  /* GHC 7.8.2 put readMVar in the place of the black hole, which with the next ones moved up; later
   * ones it counted one lower. */
  if (is_7_8_2 && status == GHC_STOP_STATUS_7_8_2_READ_MVAR)
    status = GHC_STOP_STATUS_READ_MVAR;
  else if (is_7_8_2 && status > GHC_STOP_STATUS_7_8_2_READ_MVAR)
    status += status < GHC_STOP_STATUS_7_8_2_THROW_TO ? -1u : 1u;
  switch (status) {
  case GHC_STOP_STATUS_HEAP_OVERFLOW:
  case GHC_STOP_STATUS_STACK_OVERFLOW:
  case GHC_STOP_STATUS_YIELDING:
  case GHC_STOP_STATUS_MIGRATING:
    return GHC_WAIT_CPU;
  case GHC_STOP_STATUS_MVAR:
    return GHC_WAIT_MVAR;
  case GHC_STOP_STATUS_READ_MVAR:
    return GHC_WAIT_READ_MVAR;
  case GHC_STOP_STATUS_BLACK_HOLE:
    return GHC_WAIT_BLACK_HOLE;
  case GHC_STOP_STATUS_READ:
    return GHC_WAIT_READ;
  case GHC_STOP_STATUS_WRITE:
    return GHC_WAIT_WRITE;
  case GHC_STOP_STATUS_DELAY:
    return GHC_WAIT_DELAY;
  case GHC_STOP_STATUS_STM:
    return GHC_WAIT_STM;
  case GHC_STOP_STATUS_FOREIGN_CALL:
  case GHC_STOP_STATUS_SAFE_CALL:
  case GHC_STOP_STATUS_INTERRUPTIBLE_CALL:
    return GHC_WAIT_FOREIGN_CALL;
  case GHC_STOP_STATUS_THROW_TO:
    return GHC_WAIT_THROW_TO;
  default:
    return GHC_WAIT_OTHER;
  }
}

static void
free_thread (gpointer data)
{
  struct ghc_thread *thread = data;
  g_free (thread->labels);
  g_free (thread->label);
  g_free (thread);
}

static void
init_pairs (struct ghc_thread_pairs *pairs)
{
  id_map_init (&pairs->numbers);
  pairs->all = g_array_new (FALSE, FALSE, sizeof (struct ghc_thread_pair));
}

static void
clear_pairs (struct ghc_thread_pairs *pairs)
{
  id_map_clear (&pairs->numbers);
  g_array_unref (pairs->all);
}

void
ghc_threads_init (struct ghc_threads *t, uint64_t from, uint64_t to)
{
  *t = (struct ghc_threads){ .from = from, .to = to };
  t->by_id = g_hash_table_new_full (NULL, NULL, NULL, free_thread);
  t->caps = g_array_new (FALSE, TRUE, sizeof (struct ghc_thread_cap));
  init_pairs (&t->wakers);
  init_pairs (&t->owners);
}

void
ghc_threads_clear (struct ghc_threads *t)
{
  g_array_unref (t->caps);
  g_hash_table_unref (t->by_id);
  clear_pairs (&t->wakers);
  clear_pairs (&t->owners);
  durations_clear (&t->sparks);
}

static bool
has_cap (const struct ghc_threads *t, unsigned cap)
{
  return t->selection == NULL || t->selection->caps == NULL
         || selection_has_cap (t->selection, cap);
}

/* Does an event at a time, on a capability, count? */
static bool
counts (const struct ghc_threads *t, unsigned cap, uint64_t time)
{
  return time >= t->from && time < t->to && has_cap (t, cap);
}

/* As much of the time between two events as lies in the interval. */
static uint64_t
overlap (const struct ghc_threads *t, uint64_t start, uint64_t end)
{
  const uint64_t a = MAX (start, t->from), b = MIN (end, t->to);
  return b > a ? b - a : 0;
}

/* Of those that were used lately; else NULL. */
static struct ghc_thread **
recent_thread (struct ghc_threads *t, uint32_t id)
{
  return &t->recent[id % GHC_THREADS_RECENT];
}

static struct ghc_thread *
find_thread (const struct ghc_threads *t, uint32_t id)
{
  return g_hash_table_lookup (t->by_id, GUINT_TO_POINTER (id));
}

static struct ghc_thread *
thread_of (struct ghc_threads *t, uint32_t id)
{
  struct ghc_thread **recent = recent_thread (t, id);
  if (*recent != NULL && (*recent)->id == id)
    return *recent;
  struct ghc_thread *thread = find_thread (t, id);
  if (thread == NULL) {
    thread = g_new0 (struct ghc_thread, 1);
    thread->id = id;
    thread->cap = GHC_NO_CAP;
    g_hash_table_insert (t->by_id, GUINT_TO_POINTER (id), thread);
  }
  return *recent = thread;
}

static struct ghc_thread_cap *
cap_of (struct ghc_threads *t, unsigned cap)
{
  if (cap >= t->caps->len)
    g_array_set_size (t->caps, cap + 1);
  return &g_array_index (t->caps, struct ghc_thread_cap, cap);
}

static void
add_sum (struct ghc_wait_sum *to, const struct ghc_wait_sum *from)
{
  to->count += from->count;
  to->total_ns += from->total_ns;
  to->max_ns = MAX (to->max_ns, from->max_ns);
}

static void
add_thread (struct ghc_thread *to, const struct ghc_thread *from)
{
  to->runs += from->runs;
  to->run_ns += from->run_ns;
  to->migrations += from->migrations;
  for (unsigned i = 0; i < GHC_WAITS; i++)
    add_sum (&to->waits[i], &from->waits[i]);
  add_sum (&to->wakes, &from->wakes);
}

static struct ghc_thread_pair *
pair_of (struct ghc_thread_pairs *pairs, uint32_t from, uint32_t to)
{
  const guint place = id_map_number (&pairs->numbers, (uint64_t) from << 32 | to);
  if (place == pairs->all->len) {
    const struct ghc_thread_pair pair = { .from = from, .to = to };
    g_array_append_val (pairs->all, pair);
  }
  return &g_array_index (pairs->all, struct ghc_thread_pair, place);
}

/* The most often first. */
static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const struct ghc_thread_pair *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->total_ns > y->total_ns ? -1 : x->total_ns < y->total_ns;
}

/* Half of them, the rarest, are no longer distinguished. */
static void
fold_pairs (struct ghc_thread_pairs *pairs)
{
  struct ghc_thread_pair rest = *pair_of (pairs, 0, 0);
  const guint kept = pairs->all->len / 2;
  g_array_sort (pairs->all, compare_counts);
  for (guint i = kept; i < pairs->all->len; i++) {
    const struct ghc_thread_pair *pair = &g_array_index (pairs->all, struct ghc_thread_pair, i);
    if (pair->from == 0 && pair->to == 0)
      continue;
    rest.count += pair->count;
    rest.total_ns += pair->total_ns;
  }
  g_array_set_size (pairs->all, kept);
  id_map_reset (&pairs->numbers);
  for (guint i = 0; i < kept; i++) {
    const struct ghc_thread_pair *pair = &g_array_index (pairs->all, struct ghc_thread_pair, i);
    id_map_number (&pairs->numbers, (uint64_t) pair->from << 32 | pair->to);
  }
  *pair_of (pairs, 0, 0) = rest;
}

static void
add_pair (struct ghc_thread_pairs *pairs, uint32_t from, uint32_t to, uint64_t count, uint64_t ns)
{
  if (pairs->all->len >= GHC_THREADS_MAX)
    fold_pairs (pairs);
  struct ghc_thread_pair *pair = pair_of (pairs, from, to);
  pair->count += count;
  pair->total_ns += ns;
}

static void
add_running (struct ghc_threads *t, uint64_t time)
{
  const uint64_t ns = overlap (t, t->running_since, time);
  t->busy_ns += t->running >= 1 ? ns : 0;
  t->parallel_ns += t->running >= 2 ? ns : 0;
  t->running_since = time;
}

/* NULL: the capability runs none, as far as is known. */
static void
set_running (struct ghc_threads *t, unsigned cap, struct ghc_thread *thread, uint64_t time)
{
  struct ghc_thread_cap *const c = cap_of (t, cap);
  if ((c->runs != NULL) != (thread != NULL) && has_cap (t, cap)) {
    add_running (t, time);
    t->running = thread != NULL ? t->running + 1 : t->running - 1;
  }
  c->runs = thread;
}

/* Its state ends: the time in it is added up, for the capability where it is. */
static void
end_state (struct ghc_threads *t, struct ghc_thread *thread, uint64_t time)
{
  if (!has_cap (t, thread->cap))
    return;
  const uint64_t ns = overlap (t, thread->since, time);
  thread->is_touched |= ns != 0;
  if (thread->state == GHC_THREAD_RUNS) {
    thread->run_ns += ns;
    cap_of (t, thread->cap)->run_ns += ns;
  } else if (thread->state == GHC_THREAD_WAITS) {
    struct ghc_wait_sum *sum = &thread->waits[thread->wait];
    sum->total_ns += ns;
    sum->max_ns = MAX (sum->max_ns, ns);
    if (thread->wait == GHC_WAIT_CPU && ns != 0 && t->runnable != NULL) {
      const uint64_t from = MAX (thread->since, t->from);
      t->runnable (t->data, thread, from, from + ns);
    }
    if (thread->wait == GHC_WAIT_BLACK_HOLE && (ns != 0 || counts (t, thread->cap, thread->since)))
      add_pair (&t->owners, thread->owner, thread->id, counts (t, thread->cap, thread->since), ns);
  }
}

static void
begin_state (struct ghc_threads *t, struct ghc_thread *thread, enum ghc_thread_state state,
             uint64_t time)
{
  end_state (t, thread, time);
  thread->state = state;
  thread->since = time;
  thread->is_woken = false;
}

static void
begin_wait (struct ghc_threads *t, struct ghc_thread *thread, enum ghc_wait wait, uint64_t time)
{
  begin_state (t, thread, GHC_THREAD_WAITS, time);
  thread->wait = wait;
  thread->waits[wait].count += counts (t, thread->cap, time);
}

/* Its state from now on is not known, nor that since the last event. */
static void
forget (struct ghc_thread *thread)
{
  if (thread->state != GHC_THREAD_FINISHED)
    thread->state = GHC_THREAD_UNKNOWN;
  thread->has_spark = false;
}

/* ---- sparks ---- */

static void
pause_spark (struct ghc_thread *thread, uint64_t time)
{
  if (thread->has_spark && thread->state == GHC_THREAD_RUNS && time > thread->spark_since)
    thread->spark_ns += time - thread->spark_since;
  thread->spark_since = time;
}

static void
end_spark (struct ghc_threads *t, struct ghc_thread *thread, uint64_t time)
{
  pause_spark (thread, time);
  if (thread->has_spark)
    durations_add (&t->sparks, thread->spark_ns);
  thread->has_spark = false;
}

/* The thread that runs gets one. */
static void
begin_spark (struct ghc_threads *t, const struct ghc_item *item)
{
  struct ghc_thread *thread = cap_of (t, item->cap)->runs;
  if (thread == NULL)
    return;
  end_spark (t, thread, item->time);
  thread->has_spark = counts (t, item->cap, item->time);
  thread->spark_ns = 0;
}

/* ---- events ---- */

static void
create (struct ghc_threads *t, const struct ghc_item *item, struct ghc_thread *thread)
{
  const struct ghc_thread *maker = cap_of (t, item->cap)->runs;
  if (thread->is_announced || thread->state != GHC_THREAD_UNKNOWN)
    return; /* a reminder */
  thread->is_announced = true;
  thread->made = item->time;
  thread->maker = maker != NULL ? maker->id : 0;
  thread->cap = item->cap;
  begin_wait (t, thread, GHC_WAIT_CPU, item->time);
}

static void
run (struct ghc_threads *t, const struct ghc_item *item, struct ghc_thread *thread)
{
  struct ghc_thread *before = cap_of (t, item->cap)->runs;
  const bool was_woken = thread->is_woken;
  const uint64_t since = thread->since;
  if (before != NULL && before != thread)
    forget (before);
  if (thread->state == GHC_THREAD_RUNS) {
    forget (thread);
    set_running (t, thread->cap, NULL, item->time);
  }
  begin_state (t, thread, GHC_THREAD_RUNS, item->time);
  thread->spark_since = item->time;
  thread->runs += counts (t, item->cap, item->time);
  thread->cap = item->cap;
  thread->is_announced = true;
  if (was_woken && counts (t, item->cap, item->time)) {
    const uint64_t ns = overlap (t, since, item->time);
    add_sum (&thread->wakes, &(const struct ghc_wait_sum){ 1, ns, ns });
  }
  set_running (t, item->cap, thread, item->time);
}

/* A thread that has finished and has no name loses its entry if there are many. */
static void
finish_thread (struct ghc_threads *t, struct ghc_thread *thread)
{
  if (thread->label != NULL || g_hash_table_size (t->by_id) <= GHC_THREADS_MAX)
    return;
  if (thread->is_touched) {
    add_thread (&t->rest, thread);
    t->folded++;
  }
  struct ghc_thread **recent = recent_thread (t, thread->id);
  if (*recent == thread)
    *recent = NULL;
  g_hash_table_remove (t->by_id, GUINT_TO_POINTER (thread->id));
}

static void
stop (struct ghc_threads *t, const struct ghc_item *item, struct ghc_thread *thread)
{
  const struct ghc_stop_thread *event = &item->payload->stop_thread;
  struct ghc_thread *running = cap_of (t, item->cap)->runs;
  if (running != NULL && running != thread)
    forget (running);
  set_running (t, item->cap, NULL, item->time);
  if (thread->state == GHC_THREAD_RUNS && thread->cap != item->cap)
    set_running (t, thread->cap, NULL, item->time);
  if (thread->state != GHC_THREAD_RUNS)
    forget (thread);
  thread->cap = item->cap;
  if (event->status != GHC_STOP_STATUS_FINISHED) {
    pause_spark (thread, item->time);
    begin_wait (t, thread, wait_kind (event->status, item->header->is_7_8_2), item->time);
    thread->owner = thread->wait == GHC_WAIT_BLACK_HOLE ? event->info : 0;
    return;
  }
  end_spark (t, thread, item->time);
  begin_state (t, thread, GHC_THREAD_FINISHED, item->time);
  thread->finished = item->time;
  finish_thread (t, thread);
}

static void
wake (struct ghc_threads *t, const struct ghc_item *item, struct ghc_thread *thread)
{
  const struct ghc_thread *waker = cap_of (t, item->cap)->runs;
  const bool waits = thread->state == GHC_THREAD_WAITS && thread->wait != GHC_WAIT_CPU;
  /* It may be woken up twice, or before it is stopped. */
  if (!waits && thread->state != GHC_THREAD_UNKNOWN)
    return;
  if (counts (t, item->cap, item->time))
    add_pair (&t->wakers, waker != NULL ? waker->id : 0, thread->id, 1,
              waits ? overlap (t, thread->since, item->time) : 0);
  begin_wait (t, thread, GHC_WAIT_CPU, item->time);
  thread->is_woken = true;
}

static void
migrate (struct ghc_threads *t, const struct ghc_item *item, struct ghc_thread *thread)
{
  thread->migrations += counts (t, item->cap, item->time);
  if (thread->state != GHC_THREAD_RUNS)
    thread->cap = item->payload->migrate_thread.new_cap;
}

static void
label (struct ghc_threads *t, const struct ghc_item *item)
{
  const struct ghc_thread_label *event = &item->payload->thread_label;
  struct ghc_thread *thread = thread_of (t, event->thread);
  g_free (thread->label);
  thread->label = g_strndup (event->label.text, event->label.length);
  thread->labels = selection_add_name (thread->labels, thread->label);
}

bool
ghc_threads_handles (enum ghc_kind kind)
{
  switch (kind) {
  case GHC_CREATE_THREAD:
  case GHC_RUN_THREAD:
  case GHC_STOP_THREAD:
  case GHC_THREAD_WAKEUP:
  case GHC_MIGRATE_THREAD:
  case GHC_THREAD_LABEL:
  case GHC_CREATE_SPARK_THREAD:
  case GHC_RUN_SPARK:
  case GHC_STEAL_SPARK:
  case GHC_SPARK_RUN:
  case GHC_SPARK_STEAL:
  case GHC_TASK_CREATE:
  case GHC_TASK_MIGRATE:
  case GHC_TASK_DELETE:
    return true;
  default:
    return false;
  }
}

/* An event of a thread touches it. */
static struct ghc_thread *
touch (struct ghc_threads *t, const struct ghc_item *item, uint32_t id)
{
  struct ghc_thread *thread = thread_of (t, id);
  thread->is_touched |= counts (t, item->cap, item->time);
  return thread;
}

/* The interval is over: later events only tell how long what began in it took. */
static void
note_end_states (struct ghc_threads *t)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, t->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    struct ghc_thread *thread = value;
    thread->end_state = thread->state;
    thread->end_wait = thread->wait;
  }
  t->is_over = true;
}

static void
handle_event (struct ghc_threads *t, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  if (!t->is_over && item->time >= t->to)
    note_end_states (t);
  t->last = MAX (t->last, item->time);
  switch (item->kind) {
  case GHC_CREATE_THREAD:
    create (t, item, touch (t, item, p->create_thread.thread));
    break;
  case GHC_RUN_THREAD:
    run (t, item, touch (t, item, p->run_thread.thread));
    break;
  case GHC_STOP_THREAD:
    stop (t, item, touch (t, item, p->stop_thread.thread));
    break;
  case GHC_THREAD_WAKEUP:
    wake (t, item, touch (t, item, p->thread_wakeup.thread));
    break;
  case GHC_MIGRATE_THREAD:
    migrate (t, item, touch (t, item, p->migrate_thread.thread));
    break;
  case GHC_THREAD_LABEL:
    label (t, item);
    break;
  case GHC_SPARK_RUN:
  case GHC_SPARK_STEAL:
    begin_spark (t, item);
    break;
  default:
    break;
  }
}

/* Recording was stopped. */
static void
end_states (struct ghc_threads *t)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, t->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    end_state (t, value, t->last);
  add_running (t, t->last);
}

/* It goes on: the states of the threads meanwhile are not known. */
static void
lose_track (struct ghc_threads *t)
{
  GHashTableIter iter;
  gpointer value;
  end_states (t);
  for (guint i = 0; i < t->caps->len; i++)
    set_running (t, i, NULL, t->last);
  g_hash_table_iter_init (&iter, t->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    forget (value);
}

void
ghc_threads_item (struct ghc_threads *t, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_EVENT) {
    handle_event (t, item);
  } else if (item->type == GHC_ITEM_HEADER) {
    if (t->has_header)
      lose_track (t);
    t->has_header = true;
  }
}

void
ghc_threads_finish (struct ghc_threads *t)
{
  if (!t->is_finished)
    end_states (t);
  if (!t->is_over)
    note_end_states (t);
  t->is_finished = true;
}

static void
forget_times (struct ghc_thread *thread)
{
  thread->runs = thread->run_ns = thread->migrations = 0;
  thread->wakes = (struct ghc_wait_sum){ 0 };
  for (unsigned i = 0; i < GHC_WAITS; i++)
    thread->waits[i] = (struct ghc_wait_sum){ 0 };
}

void
ghc_threads_forget_times (struct ghc_threads *t)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, t->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    forget_times (value);
  forget_times (&t->rest);
  t->busy_ns = t->parallel_ns = 0;
  for (guint i = 0; i < t->caps->len; i++)
    g_array_index (t->caps, struct ghc_thread_cap, i).run_ns = 0;
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const struct ghc_thread *x = *(gpointer *) a, *y = *(gpointer *) b;
  return x->id < y->id ? -1 : x->id > y->id;
}

GPtrArray *
ghc_threads_all (const struct ghc_threads *t)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, t->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((const struct ghc_thread *) value)->is_touched)
      g_ptr_array_add (all, value);
  g_ptr_array_sort (all, compare_threads);
  return all;
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const struct ghc_thread_pair *x = *(gpointer *) a, *y = *(gpointer *) b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

GPtrArray *
ghc_threads_pairs (const struct ghc_thread_pairs *pairs)
{
  GPtrArray *all = g_ptr_array_new ();
  for (guint i = 0; i < pairs->all->len; i++)
    g_ptr_array_add (all, &g_array_index (pairs->all, struct ghc_thread_pair, i));
  g_ptr_array_sort (all, compare_pairs);
  return all;
}

bool
ghc_threads_has_rest (const struct ghc_threads *t)
{
  return t->selection == NULL || t->selection->threads == NULL;
}

static bool
is_manager (const char *label)
{
  return label != NULL
         && (g_str_has_prefix (label, "IOManager") || g_str_has_prefix (label, "TimerManager"));
}

bool
ghc_thread_is_idle (const struct ghc_thread *thread, enum ghc_wait wait)
{
  return is_manager (thread->label) && wait != GHC_WAIT_CPU && wait != GHC_WAIT_BLACK_HOLE;
}

bool
ghc_threads_label_is_of_runtime (const char *label)
{
  return is_manager (label) || (label != NULL && strstr (label, "finalizer") != NULL);
}

bool
ghc_thread_is_of_runtime (const struct ghc_thread *thread)
{
  return ghc_threads_label_is_of_runtime (thread->label);
}

/* Without the times in which it waited for work. */
static void
add_busy_thread (struct ghc_thread *sum, const struct ghc_thread *thread)
{
  struct ghc_thread busy = *thread;
  for (unsigned i = 0; i < GHC_WAITS; i++)
    if (ghc_thread_is_idle (thread, i))
      busy.waits[i] = (struct ghc_wait_sum){ 0 };
  add_thread (sum, &busy);
}

void
ghc_threads_sum (const struct ghc_threads *t, struct ghc_thread *sum)
{
  GHashTableIter iter;
  gpointer value;
  *sum = ghc_threads_has_rest (t) ? t->rest : (struct ghc_thread){ .id = 0 };
  g_hash_table_iter_init (&iter, t->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct ghc_thread *thread = value;
    if (t->selection == NULL || selection_has_thread (t->selection, thread->id, thread->labels))
      add_busy_thread (sum, thread);
  }
}

uint64_t
ghc_threads_cap_run_ns (const struct ghc_threads *t, unsigned cap)
{
  return cap < t->caps->len ? g_array_index (t->caps, struct ghc_thread_cap, cap).run_ns : 0;
}

const struct ghc_thread *
ghc_threads_find (const struct ghc_threads *t, uint32_t id)
{
  return find_thread (t, id);
}

const char *
ghc_threads_label (const struct ghc_threads *t, uint32_t id)
{
  const struct ghc_thread *thread = find_thread (t, id);
  return thread != NULL ? thread->label : NULL;
}
