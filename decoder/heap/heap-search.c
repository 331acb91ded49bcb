/* heap-search.c -- visits the objects of a graph, and numbers them.
 *
 * A search waits for memory most of the time: each step depends on the one before, and leads
 * anywhere.  So what a step needs is in one place for most objects.  Nothing is recursive: chains
 * of references are as long as there are objects. */
#include "config.h"

#include "decoder/core/large-array.h"
#include "decoder/heap/heap-search.h"
#include <stdlib.h>
#include <string.h>

/* References that are no more than these are in one place. */
#define FEW 4

/* Steps back on the way are prefetched this far ahead. */
#define AHEAD 4

/* References of an object.  Where there are less than FEW, the object itself fills their places,
 * which is visited already.  Where there are more, the first is HEAP_NONE, and then comes where
 * they begin and end. */
struct few {
  uint32_t targets[FEW];
};
_Static_assert(sizeof (struct few) == HEAP_SEARCH_MEMORY, "what the search leaves");

/* Where a way went on from. */
struct search_step {
  uint32_t number;
  uint32_t object;
  uint32_t next; /* of its references */
};

struct depth_search {
  const struct heap_graph *g;
  struct heap_search *s;
  struct few *few;   /* by object */
  uint64_t *visited; /* a bit an object */
  struct search_step *way;
  size_t n, room; /* of the way */
};

static struct few *
find_few (const struct heap_graph *g)
{
  struct few *all = large_array ((size_t) g->n_objects + 1, sizeof *all);
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint32_t first = g->first[i], end = g->first[i + 1];
    struct few few = { { i, i, i, i } };
    for (uint32_t r = first; r < end && r < first + FEW; r++)
      few.targets[r - first] = g->targets[r];
    if (end - first > FEW)
      few = (struct few){ { HEAP_NONE, first, end } };
    all[i] = few;
  }
  return all;
}

/* Sets a bit; was it not set before? */
static inline bool
mark (uint64_t *bits, uint32_t place)
{
  const uint64_t bit = UINT64_C (1) << place % 64;
  const bool is_new = (bits[place / 64] & bit) == 0;
  bits[place / 64] |= bit;
  return is_new;
}

static inline struct search_step
number_object (struct heap_search *s, uint32_t object, uint32_t parent)
{
  const uint32_t number = s->n++;
  s->numbers[object] = number;
  s->objects[number] = object;
  s->parents[number] = parent;
  return (struct search_step){ .number = number, .object = object };
}

static inline void
push_step (struct depth_search *g, struct search_step step)
{
  if (g->n == g->room) {
    g->room = MAX (2 * g->room, 1024);
    g->way = g_renew (struct search_step, g->way, g->room);
  }
  g->way[g->n++] = step;
}

static inline struct search_step
pop_step (struct depth_search *g)
{
  const struct search_step step = g->way[--g->n];
  if (g->n >= AHEAD)
    __builtin_prefetch (&g->few[g->way[g->n - AHEAD].object]);
  return step;
}

/* All that an object leads to, it included. */
static void
search_from (struct depth_search *g, uint32_t object)
{
  if (!mark (g->visited, object))
    return;
  struct search_step step = number_object (g->s, object, 0);
  for (;;) {
    const struct few *few = &g->few[step.object];
    const bool is_many = few->targets[0] == HEAP_NONE;
    const uint32_t *targets = is_many ? &g->g->targets[few->targets[1]] : few->targets;
    const uint32_t n = is_many ? few->targets[2] - few->targets[1] : FEW;
    while (step.next < n && !mark (g->visited, targets[step.next]))
      step.next++;
    if (step.next < n) {
      const uint32_t target = targets[step.next++];
      if (step.next < n)
        push_step (g, step);
      step = number_object (g->s, target, step.number);
    } else if (g->n != 0) {
      step = pop_step (g);
    } else {
      return;
    }
  }
}

void
heap_search_init (struct heap_search *s, const struct heap_graph *g)
{
  const size_t n = (size_t) g->n_objects + 1, bits = n / 64 + 1;
  struct depth_search depth_search
      = { .g = g, .s = s, .few = find_few (g), .visited = g_new0 (uint64_t, bits) };
  *s = (struct heap_search){ .n = 1,
                             .numbers = large_array (n, sizeof *s->numbers),
                             .objects = large_array (n, sizeof *s->objects),
                             .parents = large_array (n, sizeof *s->parents),
                             .held = g_new0 (uint64_t, bits) };
  memset (s->numbers, 0, n * sizeof *s->numbers);
  s->objects[0] = HEAP_NONE;
  s->parents[0] = 0;
  for (uint32_t i = 0; i < g->n_roots; i++)
    if (!g->roots[i].is_weak)
      search_from (&depth_search, g->roots[i].object);
  for (uint32_t i = 0; i < g->n_roots; i++)
    if (!g->roots[i].is_weak)
      mark (s->held, s->numbers[g->roots[i].object]);
  g_free (depth_search.way);
  g_free (depth_search.visited);
  s->memory = depth_search.few;
}

void
heap_search_clear (struct heap_search *s)
{
  free (s->numbers);
  free (s->objects);
  free (s->parents);
  g_free (s->held);
  free (s->memory);
}
