/* scan-bulk.h -- adds up the events that come in bulk, inline: the scan of whole buffers
 * (scan-block.c) is made of these. */
#ifndef PROFLOG_SCAN_BULK_H
#define PROFLOG_SCAN_BULK_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/scan/scan-defer.h"
#include "decoder/mlpd/scan/scan-pass.h"
#include "decoder/mlpd/scan/scan-traces.h"
#include "decoder/mlpd/model/threads.h"

static inline void
scan_count (struct scan *s, enum mlpd_kind kind, uint64_t size)
{
  struct scan_kind *k = &s->kinds[kind];
  if (G_LIKELY (size < SCAN_SIZES)) {
    k->of_size[size]++;
    return;
  }
  k->larger_min = k->larger == 0 ? size : MIN (k->larger_min, size);
  k->larger_max = MAX (k->larger_max, size);
  k->larger++;
  k->larger_bytes += size;
}

/* An event of the present buffer counts.  Of a part of a log, buffers without any do not, whether
 * they were inspected or not. */
static inline void
scan_count_block (struct scan *s)
{
  s->blocks += !s->block_counts;
  s->block_counts = true;
}

/* ---- calls ---- */

/* Makes room for this many totals more. */
void scan_grow_totals (struct scan_thread *thread, guint n);

static inline __attribute__ ((always_inline)) struct scan_method *
scan_method_at (struct scan_method *methods, size_t place)
{
  return (void *) ((char *) methods + place);
}

/* The sum of a method's outermost frames so far goes to `total`, which is the next of the thread's;
 * the next after that is returned.  From now on they belong to `level`. */
static inline __attribute__ ((always_inline)) struct scan_total *
scan_flush_total (struct scan_method *m, guint method, guint level, struct scan_total *total)
{
  *total = (struct scan_total){ .method = method, .level = m->level, .ns = m->total_ns };
  total += m->total_ns != 0;
  m->total_ns = 0;
  m->level = level;
  return total;
}

/* The thread's methods, up to the number n. */
void scan_grow_methods (struct scan *scan, struct scan_thread *thread, guint n);

/* The thread's sums go to the scan's, and nothing is retained of it but its frames. */
void scan_retire_thread (struct scan *scan, struct scan_thread *thread);

/* A call of the method of this place from a stack; returns the stack with it. */
guint scan_enter_stack (struct scan *scan, guint below, guint place);

/* The slow parts: a leave of a frame that is not on top, more room. */
void scan_leave_below (struct scan *scan, uint64_t address, uint64_t time);
void scan_grow_frames (struct scan *scan, struct scan_thread *thread);

static inline guint
scan_current_level (const struct scan_thread *t)
{
  return t->levels != NULL ? t->levels->len : 0;
}

static inline void
scan_enter (struct scan *s, uint64_t address, uint64_t time)
{
  const guint method = scan_symbols_use (&s->symbols[SCAN_METHOD], address, s->events->len);
  struct scan_thread *t = scan_current_thread (s);
  if (G_UNLIKELY (method >= t->n_methods))
    scan_grow_methods (s, t, method + 1);
  if (G_UNLIKELY (t->n_frames == t->room))
    scan_grow_frames (s, t);
  if (G_UNLIKELY (t->retains_calls)) {
    scan_defer_call (s, method, true, time);
    return;
  }
  t->methods[method].active++;
  t->methods[method].calls++;
  struct scan_frame frame = { .address = address, .start = time, .place = method * SCAN_PLACE };
  if (scan_has_stacks (s))
    frame.stack = scan_enter_stack (s, t->frames[t->n_frames - 1].stack, frame.place);
  t->frames[t->n_frames++] = frame;
}

/* Leaves the frame on top. */
static inline void
scan_leave_top (struct scan *s, struct scan_thread *t, uint64_t time)
{
  const struct scan_frame *frame = &t->frames[--t->n_frames];
  const uint64_t ns = span_ns (frame->start, time);
  struct scan_method *m = scan_method_at (t->methods, frame->place);
  const uint64_t self_ns = ns - MIN (ns, frame->callees_ns);
  m->self_ns += self_ns;
  t->frames[t->n_frames - 1].callees_ns += ns;
  if (G_UNLIKELY (s->options.bins != NULL))
    scan_pass_leave (s, frame, self_ns);
  if (scan_has_stack_times (s))
    call_times_add (&g_array_index (s->stacks.times, struct call_times, frame->stack), frame->start,
                    ns);
  if (--m->active == 0) {
    const guint level = scan_current_level (t);
    if (G_UNLIKELY (m->level != level)) {
      scan_grow_totals (t, 1);
      t->n_totals
          = (guint) (scan_flush_total (m, scan_frame_method (frame), level, &t->totals[t->n_totals])
                     - t->totals);
    }
    m->total_ns += ns;
  }
}

static inline void
scan_leave (struct scan *s, uint64_t address, uint64_t time)
{
  struct scan_thread *t = scan_current_thread (s);
  if (G_LIKELY (t->n_frames > 1 && t->frames[t->n_frames - 1].address == address
                && !t->retains_calls))
    scan_leave_top (s, t, time);
  else
    scan_leave_below (s, address, time);
}

/* ---- allocations ---- */

void scan_add_type (struct scan *scan, guint type);

/* The objects and bytes for which a sampled allocation stands, and their error. */
struct type_sum scan_estimate (struct scan *scan, guint type, uint64_t size);

static inline guint
scan_type (struct scan *s, uint64_t klass, uint64_t vtable)
{
  return s->version < MLPD_VERSION_ROOT_ADDRESSES
             ? scan_symbols_use (&s->symbols[SCAN_CLASS], klass, s->events->len)
             : scan_symbols_use (&s->symbols[SCAN_VTABLE], vtable, s->events->len);
}

/* Adds it up, and returns its type. */
static inline __attribute__ ((always_inline)) guint
scan_alloc (struct scan *s, const struct mlpd_alloc *e, struct type_sum *weight)
{
  const guint type = scan_type (s, e->klass, e->vtable);
  if (G_UNLIKELY (type >= s->types->len))
    scan_add_type (s, type);
  struct scan_type *sum = &((struct scan_type *) (void *) s->types->data)[type];
  *weight = (struct type_sum){ 1, e->size };
  if (G_UNLIKELY (s->alloc_sampling != 0))
    *weight = scan_estimate (s, type, e->size);
  sum->objects += weight->objects;
  sum->bytes += weight->bytes;
  if (G_UNLIKELY (s->options.alloc_groups)) {
    type_sum_add (&scan_current_thread (s)->allocations, weight);
    type_sum_add (&s->sizes[allocation_size_class (e->size)], weight);
  }
  return type;
}

static inline void
scan_moves (struct scan *s, const struct mlpd_gc_move *e)
{
  s->moves += e->objects.count / 2;
}

/* ---- heap snapshots ---- */

struct scan_heap *scan_open_heap (struct scan *scan);
void scan_grow_references (struct scan_references *references, size_t n);

/* This many more, which the caller fills in. */
static inline struct scan_reference *
scan_add_references (struct scan_references *r, size_t n)
{
  if (G_UNLIKELY (r->room - r->n < n))
    scan_grow_references (r, n);
  r->n += n;
  return &r->items[r->n - n];
}

static inline void
scan_retain_references (struct scan *s, struct scan_heap *heap, guint type,
                        const struct mlpd_heap_object *e)
{
  s->retained += (1 + e->references.count) * sizeof (struct scan_reference);
  if (e->size != 0)
    *scan_add_references (&heap->object_types, 1)
        = (struct scan_reference){ .object = e->object, .type = type };
  if (e->references.count == 0)
    return;
  struct scan_reference *references
      = scan_add_references (&heap->reference_types, e->references.count);
  for (size_t i = 0; i < e->references.count; i++)
    references[i] = (struct scan_reference){ .object = e->references.items[i], .type = type };
}

void scan_pack_object (struct scan_heap *heap, guint type, const struct mlpd_heap_object *event);

static inline __attribute__ ((always_inline)) void
scan_heap_object (struct scan *s, const struct mlpd_heap_object *e)
{
  struct scan_heap *heap = G_LIKELY (s->heap_is_open)
                               ? &((struct scan_heap *) (void *) s->heaps->data)[s->heaps->len - 1]
                               : scan_open_heap (s);
  heap->deferred_index = s->events->len;
  heap->records++;
  heap->references += e->references.count;
  const guint type = scan_type (s, e->klass, e->vtable);
  if (e->size != 0) { /* else more references of an object that was counted */
    if (G_UNLIKELY (type >= heap->types->len))
      g_array_set_size (heap->types, type + 1);
    struct scan_type *sum = &((struct scan_type *) (void *) heap->types->data)[type];
    sum->objects++;
    sum->bytes += e->size;
    heap->objects++;
    heap->bytes += e->size;
  }
  if (G_UNLIKELY (s->options.traces))
    scan_retain_references (s, heap, type, e);
  if (G_UNLIKELY (s->options.graphs != NULL))
    scan_pack_object (heap, type, e);
}

#endif
