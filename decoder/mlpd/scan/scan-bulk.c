/* scan-bulk.c -- the parts of scan-bulk.h that are needed seldom. */
#include "config.h"

#include "decoder/mlpd/scan/scan-bulk.h"
#include <string.h>

#define FRAMES_ROOM 8

void
scan_grow_totals (struct scan_thread *t, guint n)
{
  if (t->totals_room - t->n_totals >= n)
    return;
  t->totals_room = MAX (2 * t->totals_room, t->n_totals + n);
  t->totals = g_renew (struct scan_total, t->totals, t->totals_room);
}

/* The first methods of a thread. */
static void
retire_methods (struct scan *s, struct scan_thread *t, guint n)
{
  if (s->methods->len < n)
    g_array_set_size (s->methods, n);
  scan_grow_totals (t, n);
  struct scan_total *total = &t->totals[t->n_totals];
  for (guint i = 0; i < n; i++) {
    struct scan_method *m = &t->methods[i];
    struct scan_method_sum *sum = &g_array_index (s->methods, struct scan_method_sum, i);
    sum->calls += m->calls;
    sum->self_ns += m->self_ns;
    total = scan_flush_total (m, i, 0, total);
  }
  t->n_totals = (guint) (total - t->totals);
}

void
scan_retire_thread (struct scan *s, struct scan_thread *t)
{
  const guint n = MIN (t->n_methods, s->symbols[SCAN_METHOD].all->len);
  if (n != 0)
    retire_methods (s, t, n);
  s->n_thread_methods -= t->n_methods;
  g_clear_pointer (&t->methods, g_free);
  t->n_methods = 0;
}

/* Most chunks have few threads.  Where there are many of many methods, not all are retained. */
#define THREAD_METHODS_MAX ((size_t) 64 * 1024)

static void
retire_others (struct scan *s)
{
  for (guint i = 0; i < s->threads->len; i++)
    if (i != s->thread)
      scan_retire_thread (s, &g_array_index (s->threads, struct scan_thread, i));
}

void
scan_grow_methods (struct scan *s, struct scan_thread *t, guint n)
{
  const guint old_n = t->n_methods;
  n = MAX (n, 2 * old_n);
  if (s->n_thread_methods + n - old_n > THREAD_METHODS_MAX)
    retire_others (s);
  t->methods = g_renew (struct scan_method, t->methods, n);
  memset (&t->methods[old_n], 0, (n - old_n) * sizeof *t->methods);
  for (guint i = 1; i < t->n_frames; i++)
    if (scan_frame_method (&t->frames[i]) >= old_n)
      scan_method_at (t->methods, t->frames[i].place)->active++;
  t->n_methods = n;
  s->n_thread_methods += n - old_n;
}

/* Bytes of a stack in a scan: four slots, so that most are where they belong, and its number. */
#define STACK_BYTES (4 * sizeof (struct scan_slot) + sizeof (struct scan_symbol) + sizeof (guint))

static guint
use_stack (struct scan *s, uint64_t key)
{
  struct scan_stacks *stacks = &s->stacks;
  const guint stack = scan_symbols_use (&stacks->keys, key, 0);
  if (stack >= stacks->calls->len) {
    g_array_set_size (stacks->calls, stack + 1);
    s->retained += STACK_BYTES;
    if (scan_has_stack_times (s)) {
      g_array_set_size (stacks->times, stack + 1);
      s->retained += sizeof (struct call_times);
    }
    if (s->options.bins != NULL) {
      g_array_set_size (s->bins.self_ns, stack + 1);
      s->retained += sizeof (uint64_t);
    }
  }
  return stack;
}

guint
scan_enter_stack (struct scan *s, guint below, guint place)
{
  const guint stack = use_stack (s, scan_stack_key (below, place));
  g_array_index (s->stacks.calls, guint, stack)++;
  return stack;
}

/* The stack of a thread's frames of earlier scans. */
static guint
base_stack (struct scan *s)
{
  return scan_has_stacks (s) ? use_stack (s, scan_stack_key (SCAN_STACK_NONE, s->stacks.bases++))
                             : SCAN_STACK_NONE;
}

/* The first frame stands for all of earlier scans. */
void
scan_grow_frames (struct scan *s, struct scan_thread *t)
{
  const guint before = t->room;
  t->room = MAX (2 * before, FRAMES_ROOM);
  s->retained += (t->room - before) * sizeof *t->frames;
  t->frames = g_renew (struct scan_frame, t->frames, t->room);
  if (t->n_frames == 0)
    t->frames[t->n_frames++] = (struct scan_frame){ .stack = base_stack (s) };
}

void
scan_add_type (struct scan *s, guint type)
{
  g_array_set_size (s->types, type + 1);
}

struct type_sum
scan_estimate (struct scan *s, guint type, uint64_t size)
{
  const struct type_sum estimate = allocation_estimate (size, s->alloc_sampling);
  const struct allocation_error error = allocations_error_of (&estimate);
  if (type >= s->alloc_errors->len)
    g_array_set_size (s->alloc_errors, type + 1);
  allocation_error_add (&g_array_index (s->alloc_errors, struct allocation_error, type), &error);
  if (s->options.alloc_groups)
    allocation_error_add (&scan_current_thread (s)->alloc_error, &error);
  s->alloc_samples++;
  return estimate;
}

/* Opens a level: the frame that is left was entered in an earlier scan, or never. */
static void
leave_earlier (struct scan *s, struct scan_thread *t, guint method, uint64_t time)
{
  const struct scan_open_return level = { .method = method,
                                          .stack = t->frames[0].stack,
                                          .time = time,
                                          .callees_ns = t->frames[0].callees_ns };
  if (t->levels == NULL)
    t->levels = g_array_new (FALSE, FALSE, sizeof (struct scan_open_return));
  g_array_append_val (t->levels, level);
  /* The merge knows its time since the bin began when it leaves the frame. */
  t->frames[0] = (struct scan_frame){ .start = time, .stack = base_stack (s) };
}

void
scan_leave_below (struct scan *s, uint64_t address, uint64_t time)
{
  const guint method = scan_symbols_use (&s->symbols[SCAN_METHOD], address, s->events->len);
  struct scan_thread *t = scan_current_thread (s);
  if (method >= t->n_methods)
    scan_grow_methods (s, t, method + 1);
  if (t->n_frames == 0)
    scan_grow_frames (s, t);
  if (t->retains_calls || (t->n_frames > 1 && t->methods[method].active == 0)) {
    scan_defer_call (s, method, false, time);
    return;
  }
  if (t->n_frames == 1) {
    leave_earlier (s, t, method, time);
    return;
  }
  while (scan_frame_method (&t->frames[t->n_frames - 1]) != method)
    scan_leave_top (s, t, time);
  scan_leave_top (s, t, time);
}

/* ---- heap snapshots ---- */

struct scan_heap *
scan_open_heap (struct scan *s)
{
  const struct scan_heap heap
      = { .thread = s->thread, .types = g_array_new (FALSE, TRUE, sizeof (struct scan_type)) };
  g_array_append_val (s->heaps, heap);
  s->heap_is_open = true;
  return &g_array_index (s->heaps, struct scan_heap, s->heaps->len - 1);
}

void
scan_grow_references (struct scan_references *r, size_t n)
{
  r->room = MAX (2 * r->room, r->n + n);
  r->items = g_renew (struct scan_reference, r->items, r->room);
}

void
scan_pack_object (struct scan_heap *heap, guint type, const struct mlpd_heap_object *event)
{
  if (heap->packed.bytes == NULL)
    heap->packed.bytes = g_byte_array_new ();
  heap_records_add (&heap->packed, type, event);
}
