/* last-stacks.c -- follows what each thread of a Mono log did last. */
#include "config.h"

#include "decoder/stacks/last-stacks.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include <string.h>

/* Its methods try to enter with a limit, but for Enter. */
#define MONITOR "System.Threading.Monitor:"

const char *
last_stacks_event_name (enum last_event event)
{
  static const char *const names[LAST_EVENTS] = { [LAST_SAMPLE] = "sample",
                                                  [LAST_LOCK] = "lock",
                                                  [LAST_ALLOCATION] = "allocation",
                                                  [LAST_EXCEPTION] = "exception" };
  return names[event];
}

static void
free_stack (gpointer data)
{
  struct last_stack *const stack = data;
  g_array_unref (stack->frames);
  g_clear_pointer (&stack->lock_frames, g_array_unref);
  g_free (stack->lock);
  g_free (stack);
}

void
last_stacks_init (struct last_stacks *s)
{
  *s = (struct last_stacks){ .all = g_hash_table_new_full (NULL, NULL, NULL, free_stack) };
  symbols_init (&s->symbols);
  threads_init (&s->threads);
  recording_init (&s->recording);
  monitors_init (&s->monitors);
}

void
last_stacks_clear (struct last_stacks *s)
{
  g_hash_table_destroy (s->all);
  monitors_clear (&s->monitors);
  recording_clear (&s->recording);
  threads_clear (&s->threads);
  symbols_clear (&s->symbols);
}

static struct last_stack *
stack_of (struct last_stacks *s, struct thread *thread)
{
  struct last_stack *stack = g_hash_table_lookup (s->all, thread);
  if (stack == NULL) {
    stack = g_new0 (struct last_stack, 1);
    stack->thread = thread;
    stack->frames = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (s->all, thread, stack);
  }
  return stack;
}

/* The stack of the thread is that of this event, unless a later one is known: samples are written
 * by another thread. False: it is known. */
static bool
begin_stack (struct last_stack *stack, enum last_event event, uint64_t time)
{
  if (stack->event != LAST_NONE && time < stack->time)
    return false;
  stack->event = event;
  stack->time = time;
  stack->waits = false;
  g_array_set_size (stack->frames, 0);
  return true;
}

static void
add_frame (struct last_stacks *s, struct last_stack *stack, uint64_t method)
{
  const guint frame = symbols_use (&s->symbols, SYMBOL_METHOD, method);
  g_array_append_val (stack->frames, frame);
}

/* Backtraces begin with the outermost frame.  An event without one has no stack. */
static void
handle_backtrace (struct last_stacks *s, struct thread *thread, enum last_event event,
                  uint64_t time, struct mlpd_list backtrace)
{
  struct last_stack *const stack = stack_of (s, thread);
  if (backtrace.count == 0 || !begin_stack (stack, event, time))
    return;
  for (size_t i = backtrace.count; i-- > 0;)
    add_frame (s, stack, backtrace.items[i]);
}

static void
handle_hit (struct last_stacks *s, struct thread *thread, const struct mlpd_item *item,
            uint64_t time)
{
  const struct mlpd_sample_hit *const hit = &item->payload->sample_hit;
  size_t wrappers;
  bool is_late = false;
  if (item->header->data_version >= MLPD_VERSION_SAMPLED_THREADS)
    thread = threads_sampled (&s->threads, hit->thread, time, &is_late);
  if (thread == NULL || is_late)
    return;
  struct last_stack *const stack = stack_of (s, thread);
  if (!begin_stack (stack, LAST_SAMPLE, time))
    return;
  recording_has_hit (&s->recording, hit, &wrappers);
  for (size_t i = wrappers; i < hit->frames.count; i++)
    add_frame (s, stack, hit->frames.items[i].method);
  s->hit = stack;
}

/* A sample of a time after that may be of a wait that ended before it, and was written late. */
static void
keep_lock_frames (struct last_stacks *s, struct last_stack *stack, struct mlpd_list backtrace)
{
  g_clear_pointer (&stack->lock_frames, g_array_unref);
  if (backtrace.count == 0)
    return;
  stack->lock_frames = g_array_new (FALSE, FALSE, sizeof (guint));
  for (size_t i = backtrace.count; i-- > 0;) {
    const guint frame = symbols_use (&s->symbols, SYMBOL_METHOD, backtrace.items[i]);
    g_array_append_val (stack->lock_frames, frame);
  }
}

static void
handle_monitor (struct last_stacks *s, struct thread *thread, const struct mlpd_monitor *event)
{
  monitors_event (&s->monitors, thread, event);
  if (event->event != MLPD_MONITOR_EVENT_CONTENTION)
    return;
  struct last_stack *const stack = stack_of (s, thread);
  thread->wait_object = event->object;
  thread->wait_owner = 0;
  g_free (stack->lock);
  stack->lock = s->klass_time == event->time ? g_strdup (s->klass) : NULL;
  handle_backtrace (s, thread, LAST_LOCK, event->time, event->backtrace);
  keep_lock_frames (s, stack, event->backtrace);
}

/* Values that belong to the event right before them. */
static void
handle_values (struct thread *thread, const struct mlpd_sample_counters *event)
{
  if (event->values.count != 0 && event->values.items[0].index == MLPD_LOCK_OWNER_INDEX
      && thread->waiting && thread->wait_start == event->time)
    thread->wait_owner = event->values.items[0].number;
}

static void
handle_name (struct last_stacks *s, struct thread *thread, const struct mlpd_item *item)
{
  const union mlpd_payload *const p = item->payload;
  s->klass = NULL;
  recording_note (&s->recording, item->kind, p);
  if (item->kind == MLPD_METHOD_JIT) {
    symbols_announce (&s->symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
  } else if (item->kind == MLPD_METADATA_CLASS) {
    const guint klass = symbols_announce (&s->symbols, SYMBOL_CLASS, p->metadata_class.klass,
                                          p->metadata_class.name);
    s->klass = g_array_index (s->symbols.all[SYMBOL_CLASS], struct symbol, klass).name;
    s->klass_time = p->metadata_class.time;
  } else if (item->kind == MLPD_METADATA_THREAD) {
    threads_metadata (&s->threads, &p->metadata_thread, p->metadata_thread.thread == thread->id);
  }
}

static void
handle_event (struct last_stacks *s, const struct mlpd_item *item)
{
  const union mlpd_payload *const p = item->payload;
  struct thread *const thread
      = threads_at (&s->threads, item->buffer->thread, item->buffer->time_base);
  struct last_stack *const hit = g_steal_pointer (&s->hit);
  struct mlpd_sample_usage usage;
  uint64_t time = item->buffer->time_base;
  if (mlpd_event_time (item->kind, p, &time)) {
    s->first = s->has_time ? MIN (s->first, time) : time;
    s->last = s->has_time ? MAX (s->last, time) : time;
    s->has_time = true;
  }
  if (item->kind == MLPD_SAMPLE_HIT)
    handle_hit (s, thread, item, time);
  else if (item->kind == MLPD_MONITOR)
    handle_monitor (s, thread, &p->monitor);
  else if (item->kind == MLPD_ALLOC)
    handle_backtrace (s, thread, LAST_ALLOCATION, time, p->alloc.backtrace);
  else if (item->kind == MLPD_EXCEPTION_THROW)
    handle_backtrace (s, thread, LAST_EXCEPTION, time, p->exception_throw.backtrace);
  else if (item->kind == MLPD_SAMPLE_COUNTERS)
    handle_values (thread, &p->sample_counters);
  if (hit != NULL && mlpd_sample_usage_of (item->kind, p, &usage))
    hit->waits = usage.elapsed_ns != 0 && usage.cpu_ns < usage.elapsed_ns / 2;
  handle_name (s, thread, item);
}

void
last_stacks_item (struct last_stacks *s, const struct mlpd_item *item)
{
  if (item->type == MLPD_ITEM_EVENT)
    handle_event (s, item);
  else if (item->type == MLPD_ITEM_DAMAGE)
    s->has_loss = true;
  else if (item->type
           == MLPD_ITEM_FILE_HEADER) /* other writers keep to themselves what they lose */
    s->has_loss |= !mlpd_header_is_ours (item->header);
}

GPtrArray *
last_stacks_all (struct last_stacks *s)
{
  GPtrArray *const all = g_ptr_array_new ();
  for (guint i = 0; i < s->threads.all->len; i++) {
    struct thread *const thread = s->threads.all->pdata[i];
    if (thread->ended || (!thread->announced && !g_hash_table_contains (s->all, thread)))
      continue;
    struct last_stack *const stack = stack_of (s, thread);
    g_ptr_array_add (all, stack);
    if (stack->lock_frames == NULL || !last_stacks_waits_for_lock (s, stack))
      continue;
    g_array_unref (stack->frames);
    stack->frames = g_steal_pointer (&stack->lock_frames);
    stack->event = LAST_LOCK;
    stack->time = thread->wait_start;
    stack->waits = false;
  }
  return all;
}

bool
last_stacks_waits_for_lock (const struct last_stacks *s, const struct last_stack *stack)
{
  return !s->has_loss && stack->thread->waiting;
}

const struct last_stack *
last_stacks_owner (const struct last_stacks *s, const struct last_stack *stack)
{
  const uint64_t id = stack->thread->wait_owner;
  const struct thread *const owner = id != 0 ? g_hash_table_lookup (s->threads.by_id, &id) : NULL;
  return owner != NULL && !owner->ended ? g_hash_table_lookup (s->all, owner) : NULL;
}

static char *
name_of (const struct last_stacks *s, guint method)
{
  return symbols_frame_name (symbols_name (&s->symbols, SYMBOL_METHOD, method));
}

bool
last_stacks_has_limit (const struct last_stacks *s, const struct last_stack *stack)
{
  if (stack->frames->len == 0)
    return true;
  g_autofree char *name = name_of (s, g_array_index (stack->frames, guint, 0));
  return g_str_has_prefix (name, MONITOR) && !g_str_has_prefix (name + strlen (MONITOR), "Enter");
}

enum wait_kind
last_stacks_wait (const struct last_stacks *s, const struct last_stack *stack)
{
  if (!stack->waits || stack->frames->len == 0)
    return WAIT_NONE;
  g_autofree char *name = name_of (s, g_array_index (stack->frames, guint, 0));
  return wait_kind_of_frame (name);
}

GPtrArray *
last_stacks_names (const struct last_stacks *s, const struct last_stack *stack)
{
  GPtrArray *const names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < stack->frames->len; i++)
    g_ptr_array_add (names, name_of (s, g_array_index (stack->frames, guint, i)));
  return names;
}
