/* ghc-memory.c -- sizes of heaps over time, in a bounded number of points. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-memory.h"
#include "decoder/core/whole-number.h"

/* Points of a size of a heap, at most. */
#define POINTS_MAX 8192u

/* Heaps that are told apart; there is one of each process. */
#define HEAPS_MAX 1024u

struct ghc_memory_point {
  uint64_t time, value; /* bytes; of needed memory megablocks */
};

struct ghc_memory_series {
  GArray *points; /* of struct ghc_memory_point: every n-th value */
  guint step;     /* n */
  guint passed;   /* values since the last point */
};

struct ghc_memory_heap {
  uint32_t capset;
  uint64_t megablock; /* bytes; 0: not known */
  uint64_t returned;  /* megablocks */
  struct ghc_memory_series sizes[GHC_MEMORY_SIZES];
};

static void
free_heap (gpointer data)
{
  struct ghc_memory_heap *heap = data;
  for (guint i = 0; i < GHC_MEMORY_SIZES; i++)
    g_array_unref (heap->sizes[i].points);
  g_free (heap);
}

void
ghc_memory_init (struct ghc_memory *memory)
{
  *memory = (struct ghc_memory){ .heaps = g_ptr_array_new_with_free_func (free_heap) };
}

void
ghc_memory_clear (struct ghc_memory *memory)
{
  g_ptr_array_unref (memory->heaps);
}

bool
ghc_memory_handles (enum ghc_kind kind)
{
  return kind == GHC_HEAP_INFO_GHC || kind == GHC_HEAP_SIZE || kind == GHC_HEAP_LIVE
         || kind == GHC_BLOCKS_SIZE || kind == GHC_MEM_RETURN;
}

/* NULL: there are too many. */
static struct ghc_memory_heap *
heap_of (struct ghc_memory *memory, uint32_t capset)
{
  for (guint i = 0; i < memory->heaps->len; i++) {
    struct ghc_memory_heap *heap = g_ptr_array_index (memory->heaps, i);
    if (heap->capset == capset)
      return heap;
  }
  if (memory->heaps->len >= HEAPS_MAX)
    return NULL;
  struct ghc_memory_heap *heap = g_new0 (struct ghc_memory_heap, 1);
  heap->capset = capset;
  for (guint i = 0; i < GHC_MEMORY_SIZES; i++)
    heap->sizes[i] = (struct ghc_memory_series){
      .points = g_array_new (FALSE, FALSE, sizeof (struct ghc_memory_point)), .step = 1
    };
  g_ptr_array_add (memory->heaps, heap);
  return heap;
}

/* Every second point goes if there are too many. */
static void
add_point (struct ghc_memory *memory, struct ghc_memory_series *series, uint64_t time,
           uint64_t value)
{
  const struct ghc_memory_point point = { time, value };
  memory->first = memory->has_time ? MIN (memory->first, time) : time;
  memory->last = MAX (memory->last, time);
  memory->has_time = true;
  if (++series->passed < series->step)
    return;
  series->passed = 0;
  g_array_append_val (series->points, point);
  if (series->points->len < POINTS_MAX)
    return;
  struct ghc_memory_point *points = (struct ghc_memory_point *) (void *) series->points->data;
  for (guint i = 0; i < POINTS_MAX / 2; i++)
    points[i] = points[2 * i + 1];
  g_array_set_size (series->points, POINTS_MAX / 2);
  series->step *= 2;
}

static void
add_return (struct ghc_memory *memory, const struct ghc_mem_return *event, uint64_t time)
{
  struct ghc_memory_heap *heap = heap_of (memory, event->heap_capset);
  if (heap == NULL)
    return;
  add_point (memory, &heap->sizes[GHC_MEMORY_NEEDED], time, event->needed_mblocks);
  heap->returned = saturated_sum (heap->returned, event->returned_mblocks);
  memory->returns += event->returned_mblocks != 0;
}

static void
add_size (struct ghc_memory *memory, uint32_t capset, enum ghc_memory_size size, uint64_t time,
          uint64_t bytes)
{
  struct ghc_memory_heap *heap = heap_of (memory, capset);
  if (heap != NULL)
    add_point (memory, &heap->sizes[size], time, bytes);
}

void
ghc_memory_event (struct ghc_memory *memory, enum ghc_kind kind, uint64_t time,
                  const union ghc_payload *p, bool counts)
{
  if (kind == GHC_HEAP_INFO_GHC) {
    struct ghc_memory_heap *heap = heap_of (memory, p->heap_info_ghc.heap_capset);
    if (heap != NULL)
      heap->megablock = p->heap_info_ghc.mblock_size;
  } else if (kind == GHC_HEAP_SIZE && counts) {
    add_size (memory, p->heap_size.heap_capset, GHC_MEMORY_HELD, time, p->heap_size.bytes);
  } else if (kind == GHC_HEAP_LIVE && counts) {
    add_size (memory, p->heap_live.heap_capset, GHC_MEMORY_LIVE, time, p->heap_live.bytes);
  } else if (kind == GHC_BLOCKS_SIZE && counts) {
    add_size (memory, p->blocks_size.heap_capset, GHC_MEMORY_BLOCKS, time, p->blocks_size.bytes);
  } else if (kind == GHC_MEM_RETURN && counts) {
    add_return (memory, &p->mem_return, time);
  }
}

/* ---- after the last event ---- */

static gint
compare_points (gconstpointer a, gconstpointer b)
{
  const struct ghc_memory_point *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

void
ghc_memory_finish (struct ghc_memory *memory)
{
  for (guint i = 0; i < memory->heaps->len; i++) {
    const struct ghc_memory_heap *heap = g_ptr_array_index (memory->heaps, i);
    for (guint size = 0; size < GHC_MEMORY_SIZES; size++)
      g_array_sort (heap->sizes[size].points, compare_points);
  }
}

static uint64_t
bytes_of (const struct ghc_memory_heap *heap, uint64_t megablocks)
{
  return saturated_product (megablocks, heap->megablock != 0 ? heap->megablock : GHC_MEGABLOCK);
}

uint64_t
ghc_memory_returned (const struct ghc_memory *memory)
{
  uint64_t bytes = 0;
  for (guint i = 0; i < memory->heaps->len; i++) {
    const struct ghc_memory_heap *heap = g_ptr_array_index (memory->heaps, i);
    bytes = saturated_sum (bytes, bytes_of (heap, heap->returned));
  }
  return bytes;
}

uint64_t
ghc_memory_quarter (const struct ghc_memory *memory, guint quarter)
{
  const uint64_t span = memory->last - memory->first;
  return quarter >= GHC_MEMORY_QUARTERS ? memory->last
                                        : memory->first + span / GHC_MEMORY_QUARTERS * quarter;
}

/* Of one heap, in megablocks or bytes.  The latest value that is not later than the beginning
 * counts. */
static bool
find_range (const GArray *points, uint64_t from, uint64_t to, struct ghc_memory_range *range)
{
  bool found = false;
  *range = (struct ghc_memory_range){ 0 };
  for (guint i = 0; i < points->len; i++) {
    const struct ghc_memory_point *point = &g_array_index (points, struct ghc_memory_point, i);
    if (point->time > to)
      break;
    if (!found || point->time <= from)
      *range = (struct ghc_memory_range){ point->value, point->value };
    range->least = MIN (range->least, point->value);
    range->most = MAX (range->most, point->value);
    found = true;
  }
  return found;
}

bool
ghc_memory_in (const struct ghc_memory *memory, enum ghc_memory_size size, uint64_t from,
               uint64_t to, struct ghc_memory_range *range)
{
  bool found = false;
  *range = (struct ghc_memory_range){ 0 };
  for (guint i = 0; i < memory->heaps->len; i++) {
    const struct ghc_memory_heap *heap = g_ptr_array_index (memory->heaps, i);
    struct ghc_memory_range own;
    if (!find_range (heap->sizes[size].points, from, to, &own))
      continue;
    const bool is_bytes = size != GHC_MEMORY_NEEDED;
    range->least = saturated_sum (range->least, is_bytes ? own.least : bytes_of (heap, own.least));
    range->most = saturated_sum (range->most, is_bytes ? own.most : bytes_of (heap, own.most));
    found = true;
  }
  return found;
}
