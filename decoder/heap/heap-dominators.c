/* heap-dominators.c -- dominators by semidominators, in O(m log n).
 *
 * Semidominators are found by path compression, as in: Thomas Lengauer, Robert Endre Tarjan: A fast
 * algorithm for finding dominators in a flowgraph.  ACM Transactions on Programming Languages and
 * Systems 1 (1), 1979, pages 121 to 141.
 *
 * The dominator of an object is then the nearest common ancestor of its semidominator and its
 * parent in the tree of dominators as far as it is known, as in the algorithm SEMI-NCA of: Loukas
 * Georgiadis, Robert Endre Tarjan, Renato F. Werneck: Finding dominators in practice.  Journal of
 * Graph Algorithms and Applications 10 (1), 2006, pages 69 to 94.  That goes up the tree step by
 * step, which may take n steps for each object (many that are referred to from the end of a long
 * list, say); so each has a pointer further up, as in: Eugene W. Myers: An applicative
 * random-access stack.  Information Processing Letters 17 (5), 1983, pages 241 to 248.
 *
 * All is by numbers of a depth-first search (heap-search.h), so that a number shows whether an
 * object is linked into the forest already (it is if its number is not smaller than that of the
 * object that was linked last).  Nothing is recursive: chains of references are as long as there
 * are objects.
 */
#include "config.h"

#include "decoder/core/large-array.h"
#include "decoder/heap/heap-dominators.h"
#include "decoder/heap/heap-predecessors.h"
#include <stdlib.h>
#include <string.h>

/* Steps up wait for memory one after the other: each is prefetched this far ahead of the next. */
#define AHEAD (HEAP_BLOCK_AHEAD / 4)

/* What does not wait for anything else is prefetched this far ahead. */
#define FAR 24

/* All that path compression inspects of an object. */
struct node {
  uint32_t ancestor; /* parent in the search, or further up when it is linked */
  uint32_t best;     /* the smallest semidominator on the way there, the object's own included */
};

/* ---- dominators ---- */

/* The smallest semidominator on the way from a linked object up to one that is not linked; all from
 * the number `linked` on are.  Each second object on the way then skips the next: path halving, as
 * in: Robert Endre Tarjan, Jan van Leeuwen: Worst-case analysis of set union algorithms.  Journal
 * of the ACM 31 (2), 1984, pages 245 to 281. */
static inline uint32_t
evaluate (struct node *nodes, uint32_t number, uint32_t linked)
{
  uint32_t best = nodes[number].best;
  for (;;) {
    struct node *node = &nodes[number];
    if (node->ancestor < linked)
      return best;
    const struct node above = nodes[node->ancestor];
    best = MIN (best, above.best);
    if (above.ancestor < linked)
      return best;
    *node = (struct node){ above.ancestor, MIN (node->best, above.best) };
    number = above.ancestor;
    best = MIN (best, nodes[number].best);
  }
}

/* What is found, by number, all in memory that the search left. */
struct found {
  union {
    struct node *nodes;
    uint32_t *further;  /* up the tree; and after these depths */
    uint64_t *retained; /* at last */
  };
  uint32_t *semis;
  uint32_t *dominators;
};
_Static_assert(sizeof (struct node) + 2 * sizeof (uint32_t) <= HEAP_SEARCH_MEMORY
                   && sizeof (uint64_t) <= sizeof (struct node),
               "what is found has room");

static void
find_semidominators (const struct heap_search *s, struct heap_predecessors *p,
                     const struct found *found)
{
  struct node *nodes = found->nodes;
  for (uint32_t w = 0; w < s->n; w++)
    nodes[w] = (struct node){ s->parents[w], w };
  for (uint32_t i = p->n_blocks; i-- > 0;) {
    const struct heap_block *block = heap_predecessors_next_block (p, i);
    uint32_t at = 0;
    for (uint32_t w = block->end; w-- > block->from;) {
      uint32_t semi = block->smallest[w - block->from];
      for (; at < block->ends[w - block->from]; at++) {
        /* Those that are next, and the first steps up from there.  (Not in a function of its own:
         * GCC 12 leaves out calls of functions that only prefetch.) */
        const uint32_t *later = &block->later[at];
        __builtin_prefetch (&nodes[later[4 * AHEAD]], 1);
        __builtin_prefetch (&nodes[nodes[later[3 * AHEAD]].ancestor], 1);
        __builtin_prefetch (&nodes[nodes[nodes[later[2 * AHEAD]].ancestor].ancestor], 1);
        __builtin_prefetch (&nodes[nodes[nodes[nodes[later[AHEAD]].ancestor].ancestor].ancestor],
                            1);
        const uint32_t best = evaluate (nodes, *later, w + 1);
        semi = MIN (semi, best);
      }
      found->semis[w] = nodes[w].best = semi;
    }
  }
}

static void
find_dominators (const struct heap_search *s, const struct found *found)
{
  uint32_t *further = found->further, *depths = further + s->n, *dominators = found->dominators;
  dominators[0] = further[0] = depths[0] = 0;
  for (uint32_t w = 1; w < s->n; w++) {
    const uint32_t semi = found->semis[w];
    uint32_t at = s->parents[w];
    while (at > semi)
      at = further[at] > semi ? further[at] : dominators[at];
    dominators[w] = at;
    depths[w] = depths[at] + 1;
    const uint32_t once = further[at], twice = further[once];
    further[w] = depths[at] - depths[once] == depths[once] - depths[twice] ? twice : at;
  }
}

static void
add_up (struct heap_dominators *d, const struct heap_graph *g, const struct heap_search *s,
        const struct found *found)
{
  const uint32_t *dominators = found->dominators;
  uint64_t *retained = found->retained;
  retained[0] = 0;
  for (uint32_t w = 1; w < s->n; w++)
    retained[w] = g->bytes[s->objects[w]];
  for (uint32_t w = s->n - 1; w > 0; w--)
    retained[dominators[w]] += retained[w];
  d->reached_bytes = retained[0];
  d->n_reached = s->n - 1;
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint32_t number = s->numbers[i];
    d->retained[i] = number != 0 ? retained[number] : 0;
    if (number == 0)
      d->dominators[i] = HEAP_UNREACHED;
    else
      d->dominators[i] = dominators[number] != 0 ? s->objects[dominators[number]] : HEAP_ROOTS;
  }
}

struct heap_dominators *
heap_dominators_new (const struct heap_graph *g)
{
  struct heap_search s;
  struct heap_predecessors p;
  heap_predecessors_start (&p, g);
  heap_search_init (&s, g);
  heap_predecessors_number (&p, &s);
  struct found found = { .nodes = s.memory };
  found.semis = (uint32_t *) (void *) (found.nodes + s.n);
  found.dominators = found.semis + s.n;
  find_semidominators (&s, &p, &found);
  heap_predecessors_clear (&p);
  find_dominators (&s, &found);
  struct heap_dominators *d = g_new0 (struct heap_dominators, 1);
  d->n_objects = g->n_objects;
  d->dominators = large_array (g->n_objects, sizeof *d->dominators);
  d->retained = large_array (g->n_objects, sizeof *d->retained);
  add_up (d, g, &s, &found);
  heap_search_clear (&s);
  return d;
}

void
heap_dominators_free (struct heap_dominators *d)
{
  if (d == NULL)
    return;
  free (d->dominators);
  free (d->retained);
  g_free (d);
}

/* ---- the tree ---- */

void
heap_tree_init (struct heap_tree *t, const struct heap_dominators *d)
{
  const size_t n = d->n_objects;
  /* Counted one place further on, which then is where the next one goes. */
  t->first = large_array_zeroed (n + 3, sizeof *t->first);
  t->children = large_array (d->n_reached, sizeof *t->children);
  for (uint32_t i = 0; i < n; i++) {
    if (n - i > FAR)
      __builtin_prefetch (&t->first[MIN (d->dominators[i + FAR], n) + 2], 1);
    if (d->dominators[i] != HEAP_UNREACHED)
      t->first[MIN (d->dominators[i], n) + 2]++;
  }
  for (size_t i = 1; i < n + 3; i++)
    t->first[i] += t->first[i - 1];
  for (uint32_t i = 0; i < n; i++)
    if (d->dominators[i] != HEAP_UNREACHED)
      t->children[t->first[MIN (d->dominators[i], n) + 1]++] = i;
}

void
heap_tree_clear (struct heap_tree *t)
{
  free (t->first);
  free (t->children);
}

/* Where a way down the tree went on from. */
struct dominator_step {
  uint32_t object;
  uint32_t next, end; /* children */
};

struct dominator_stack {
  struct dominator_step *steps;
  size_t n, room;
};

static inline void
stack_push (struct dominator_stack *way, struct dominator_step step)
{
  if (way->n == way->room) {
    way->room = MAX (2 * way->room, 1024);
    way->steps = g_renew (struct dominator_step, way->steps, way->room);
  }
  way->steps[way->n++] = step;
}

uint64_t *
heap_dominators_by_group (const struct heap_dominators *d, const uint32_t *groups,
                          uint32_t n_groups)
{
  uint64_t *sums = g_new0 (uint64_t, n_groups);
  uint32_t *open = g_new0 (uint32_t, n_groups); /* objects of the group on the way down */
  struct dominator_stack way = { 0 };
  struct heap_tree t;
  heap_tree_init (&t, d);
  struct dominator_step step = { d->n_objects, t.first[d->n_objects], t.first[d->n_objects + 1] };
  for (;;) {
    if (step.next < step.end) {
      const uint32_t child = t.children[step.next++], group = groups[child];
      if (open[group]++ == 0)
        sums[group] += d->retained[child];
      stack_push (&way, step);
      step = (struct dominator_step){ child, t.first[child], t.first[child + 1] };
      continue;
    }
    if (way.n == 0)
      break;
    open[groups[step.object]]--;
    step = way.steps[--way.n];
  }
  heap_tree_clear (&t);
  g_free (way.steps);
  g_free (open);
  return sums;
}
