/* scan-masses.h -- adds up the events that come in masses, inline: the scan of whole buffers
 * (scan-block.c) is made of these. */
#ifndef PROFLOG_SCAN_MASSES_H
#define PROFLOG_SCAN_MASSES_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/scan-bmi2.h"
#include "decoder/analyses/scan-traces.h"
#include "decoder/analyses/threads.h"

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
 * they were looked at or not. */
static inline void
scan_count_block (struct scan *s)
{
  s->blocks += !s->block_counts;
  s->block_counts = true;
}

/* The events of a whole buffer, behind scan_buffer; see scan_block. */
bool scan_block_plain (struct scan *scan, const uint8_t *bytes, size_t length, uint64_t offset);

/* The same where scan_has_bmi2. */
bool scan_block_bmi2 (struct scan *scan, const uint8_t *bytes, size_t length, uint64_t offset);
bool scan_has_bmi2 (void);

/* Takes an event of any kind. */
void scan_take_event (struct scan *scan, enum mlpd_kind kind, const union mlpd_payload *payload,
                      uint64_t offset, uint64_t size);

/* ---- calls ---- */

/* Makes room for so many totals more. */
void scan_make_totals_room (struct scan_thread *thread, guint n);

static inline __attribute__ ((always_inline)) struct scan_method *
scan_method_at (struct scan_method *methods, size_t place)
{
  return (void *) ((char *) methods + place);
}

/* What a method's outermost frames add up to so far goes to `total`, which is the next of the
 * thread's; the next after that is returned.  From now on they belong to `level`. */
static inline __attribute__ ((always_inline)) struct scan_total *
scan_settle (struct scan_method *m, guint method, guint level, struct scan_total *total)
{
  *total = (struct scan_total){ .method = method, .level = m->level, .ns = m->total_ns };
  total += m->total_ns != 0;
  m->total_ns = 0;
  m->level = level;
  return total;
}

/* The thread's methods, up to the number n. */
void scan_make_methods (struct scan *scan, struct scan_thread *thread, guint n);

/* What the thread adds up to goes to the scan's sums, and nothing is kept of it but its frames. */
void scan_retire_thread (struct scan *scan, struct scan_thread *thread);

/* A call of the method of this place from a stack; returns the stack with it. */
guint scan_enter_stack (struct scan *scan, guint below, guint place);

/* The slow parts: a leave of a frame that is not on top, more room. */
void scan_leave_below (struct scan *scan, uint64_t address, uint64_t time);
void scan_make_room (struct scan *scan, struct scan_thread *thread);
void scan_keep_call (struct scan *scan, guint method, bool enter, uint64_t time);

static inline struct scan_thread *
scan_thread_now (const struct scan *s)
{
  return &((struct scan_thread *) (void *) s->threads->data)[s->thread];
}

static inline guint
scan_level_now (const struct scan_thread *t)
{
  return t->levels != NULL ? t->levels->len : 0;
}

static inline void
scan_enter (struct scan *s, uint64_t address, uint64_t time)
{
  const guint method = scan_symbols_use (&s->symbols[SCAN_METHOD], address, s->events->len);
  struct scan_thread *t = scan_thread_now (s);
  if (G_UNLIKELY (method >= t->n_methods))
    scan_make_methods (s, t, method + 1);
  if (G_UNLIKELY (t->n_frames == t->room))
    scan_make_room (s, t);
  if (G_UNLIKELY (t->keeps_calls)) {
    scan_keep_call (s, method, true, time);
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
scan_leave_top (struct scan_thread *t, uint64_t time)
{
  const struct scan_frame *frame = &t->frames[--t->n_frames];
  const uint64_t ns = span_ns (frame->start, time);
  struct scan_method *m = scan_method_at (t->methods, frame->place);
  m->self_ns += ns - MIN (ns, frame->callees_ns);
  t->frames[t->n_frames - 1].callees_ns += ns;
  if (--m->active == 0) {
    const guint level = scan_level_now (t);
    if (G_UNLIKELY (m->level != level)) {
      scan_make_totals_room (t, 1);
      t->n_totals
          = (guint) (scan_settle (m, scan_frame_method (frame), level, &t->totals[t->n_totals])
                     - t->totals);
    }
    m->total_ns += ns;
  }
}

static inline void
scan_leave (struct scan *s, uint64_t address, uint64_t time)
{
  struct scan_thread *t = scan_thread_now (s);
  if (G_LIKELY (t->n_frames > 1 && t->frames[t->n_frames - 1].address == address
                && !t->keeps_calls))
    scan_leave_top (t, time);
  else
    scan_leave_below (s, address, time);
}

/* ---- allocations ---- */

void scan_add_type (struct scan *scan, guint type);

static inline guint
scan_type (struct scan *s, uint64_t klass, uint64_t vtable)
{
  return s->version < MLPD_VERSION_ROOT_ADDRESSES
             ? scan_symbols_use (&s->symbols[SCAN_CLASS], klass, s->events->len)
             : scan_symbols_use (&s->symbols[SCAN_VTABLE], vtable, s->events->len);
}

/* Adds it up, and says as what. */
static inline __attribute__ ((always_inline)) guint
scan_alloc (struct scan *s, const struct mlpd_alloc *e, struct type_sum *weight)
{
  const guint type = scan_type (s, e->klass, e->vtable);
  if (G_UNLIKELY (type >= s->types->len))
    scan_add_type (s, type);
  struct scan_type *sum = &((struct scan_type *) (void *) s->types->data)[type];
  *weight = (struct type_sum){ 1, e->size };
  if (G_UNLIKELY (s->alloc_sampling != 0)) {
    *weight = allocation_estimate (e->size, s->alloc_sampling);
    s->alloc_samples++;
  }
  sum->objects += weight->objects;
  sum->bytes += weight->bytes;
  return type;
}

static inline void
scan_moves (struct scan *s, const struct mlpd_gc_move *e)
{
  s->moves += e->objects.count / 2;
}

/* ---- heap shots ---- */

struct scan_heap *scan_open_heap (struct scan *scan);
void scan_make_references_room (struct scan_references *references, size_t n);

/* So many more, which the caller fills in. */
static inline struct scan_reference *
scan_add_references (struct scan_references *r, size_t n)
{
  if (G_UNLIKELY (r->room - r->n < n))
    scan_make_references_room (r, n);
  r->n += n;
  return &r->items[r->n - n];
}

static inline void
scan_keep_references (struct scan *s, struct scan_heap *heap, guint type,
                      const struct mlpd_heap_object *e)
{
  s->kept += (1 + e->references.count) * sizeof (struct scan_reference);
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
  heap->rare = s->events->len;
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
    scan_keep_references (s, heap, type, e);
  if (G_UNLIKELY (s->options.graphs != NULL))
    scan_pack_object (heap, type, e);
}

#endif
