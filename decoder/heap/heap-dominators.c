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
#include "decoder/heap/heap-search.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- what refers to each object ---- */

/* References are turned round while a depth-first search (heap-search.h) is on, since that is slow
 * and waits for memory.  Then its numbers are known, and are used from the last to the first, in
 * blocks: one thread makes these, another consumes them as they come. */

/* Numbers of a block. */
#define HEAP_BLOCK (1u << 13)

/* There are this many zeros after the last of `later`, for those that read ahead. */
#define HEAP_BLOCK_AHEAD 40

/* Of the numbers `from` up to `end`, without that, but 0. */
struct heap_block {
  uint32_t from, end;
  uint32_t *smallest; /* by number less `from`: the smallest that refers to it, 0 for roots */
  uint32_t *later;    /* of the last number, of the one before it ...: those that refer to it and
                         have greater numbers; none for what roots hold, for which 0 is enough */
  uint32_t *ends;     /* by number less `from`: after its own in `later` */
};

struct heap_predecessors {
  const struct heap_graph *g;
  const struct heap_search *search;

  /* By object, which have one more: its own are sources[first[object]] to first[object + 1]. */
  uint32_t *first;
  uint32_t *sources;

  struct heap_block *blocks; /* by number / HEAP_BLOCK */
  uint32_t n_blocks;
  uint32_t *gathered; /* while a block is made */
  size_t room;

  bool is_helped; /* by a thread, which turns references, or makes blocks */
  pthread_t helper;
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t changed;
  uint32_t left; /* blocks that are not made */
};

/* What is accessed in no order is prefetched this far ahead. */
#define SOURCES_AHEAD 24

/* This many references are worth a thread. */
#define MANY_REFERENCES (1u << 16)

/* ---- turning references round ---- */

static void
count_sources (struct heap_predecessors *p)
{
  const struct heap_graph *g = p->g;
  for (uint32_t r = 0; r < g->n_references; r++) {
    if (g->n_references - r > SOURCES_AHEAD)
      __builtin_prefetch (&p->first[g->targets[r + SOURCES_AHEAD]], 1);
    p->first[g->targets[r]]++;
  }
}

static void *
turn_round (void *data)
{
  struct heap_predecessors *p = data;
  const struct heap_graph *g = p->g;
  const size_t n = (size_t) g->n_objects + 1;
  p->first = large_array_zeroed (n, sizeof *p->first);
  p->sources = large_array (g->n_references, sizeof *p->sources);
  count_sources (p);
  for (size_t i = 1; i < n; i++)
    p->first[i] += p->first[i - 1];
  /* From their ends on to their beginnings. */
  for (uint32_t i = 0; i < g->n_objects; i++)
    for (uint32_t r = g->first[i]; r < g->first[i + 1]; r++) {
      if (g->n_references - r > 2 * SOURCES_AHEAD) {
        __builtin_prefetch (&p->first[g->targets[r + 2 * SOURCES_AHEAD]], 1);
        __builtin_prefetch (&p->sources[p->first[g->targets[r + SOURCES_AHEAD]] - 1], 1);
      }
      p->sources[--p->first[g->targets[r]]] = i;
    }
  return NULL;
}

static void
start_worker (struct heap_predecessors *p, void *(*work) (void *) )
{
  p->is_helped
      = p->g->n_references >= MANY_REFERENCES && pthread_create (&p->helper, NULL, work, p) == 0;
}

/* Begins to turn the references round. */
static void
heap_predecessors_start (struct heap_predecessors *p, const struct heap_graph *g)
{
  *p = (struct heap_predecessors){ .g = g };
  pthread_mutex_init (&p->lock, NULL);
  pthread_cond_init (&p->changed, NULL);
  start_worker (p, turn_round);
}

/* ---- blocks ---- */

/* Puts all that refers to the objects of a block in one list, those of the last object first. */
static size_t
gather (struct heap_predecessors *p, const struct heap_block *block, uint32_t *counts)
{
  const struct heap_search *s = p->search;
  uint32_t starts[HEAP_BLOCK];
  size_t n = 0;
  for (uint32_t w = block->from; w < block->end; w++) {
    if (block->end - w > SOURCES_AHEAD)
      __builtin_prefetch (&p->first[s->objects[w + SOURCES_AHEAD]]);
    const uint32_t object = s->objects[w], i = w - block->from;
    const bool is_needed = w != 0 && !heap_search_is_held (s, w);
    starts[i] = is_needed ? p->first[object] : 0;
    counts[i] = is_needed ? p->first[object + 1] - starts[i] : 0;
    n += counts[i];
  }
  if (n + SOURCES_AHEAD > p->room) {
    p->room = n + SOURCES_AHEAD;
    g_free (p->gathered);
    p->gathered = g_new0 (uint32_t, p->room);
  }
  uint32_t *to = p->gathered;
  for (uint32_t i = block->end - block->from; i-- > 0;) {
    if (i >= SOURCES_AHEAD)
      __builtin_prefetch (&p->sources[starts[i - SOURCES_AHEAD]]);
    memcpy (to, &p->sources[starts[i]], counts[i] * sizeof *to);
    to += counts[i];
  }
  return n;
}

static void
make_block (struct heap_predecessors *p, struct heap_block *block)
{
  const struct heap_search *s = p->search;
  block->from = (uint32_t) (block - p->blocks) * HEAP_BLOCK;
  block->end = MIN (s->n - block->from, HEAP_BLOCK) + block->from;
  block->smallest = g_new (uint32_t, HEAP_BLOCK);
  block->ends = g_new (uint32_t, HEAP_BLOCK);
  gather (p, block, block->ends);
  const uint32_t *at = p->gathered;
  uint32_t n = 0;
  for (uint32_t w = block->end; w-- > block->from;) {
    uint32_t smallest = heap_search_is_held (s, w) ? 0 : s->parents[w];
    for (uint32_t left = block->ends[w - block->from]; left > 0; left--, at++) {
      __builtin_prefetch (&s->numbers[at[SOURCES_AHEAD]]);
      const uint32_t number = s->numbers[*at];
      if (number > w)
        p->gathered[n++] = number;
      else if (number != 0 && number < smallest)
        smallest = number;
    }
    block->smallest[w - block->from] = smallest;
    block->ends[w - block->from] = n;
  }
  block->later = g_new0 (uint32_t, n + HEAP_BLOCK_AHEAD);
  memcpy (block->later, p->gathered, n * sizeof *block->later);
}

static void
block_clear (struct heap_block *block)
{
  g_clear_pointer (&block->smallest, g_free);
  g_clear_pointer (&block->ends, g_free);
  g_clear_pointer (&block->later, g_free);
}

static void *
make_blocks (void *data)
{
  struct heap_predecessors *p = data;
  for (uint32_t i = p->n_blocks; i-- > 0;) {
    make_block (p, &p->blocks[i]);
    pthread_mutex_lock (&p->lock);
    p->left = i;
    pthread_cond_signal (&p->changed);
    pthread_mutex_unlock (&p->lock);
  }
  return NULL;
}

/* The search is done: begins to make blocks of its numbers, from the last on. */
static void
heap_predecessors_number (struct heap_predecessors *p, const struct heap_search *s)
{
  if (p->is_helped)
    pthread_join (p->helper, NULL);
  else
    turn_round (p);
  p->search = s;
  p->n_blocks = p->left = (s->n - 1) / HEAP_BLOCK + 1;
  p->blocks = g_new0 (struct heap_block, p->n_blocks);
  start_worker (p, make_blocks);
}

/* A block, when it is made: the last first, and so on.  The predecessors' until they are cleared or
 * the next one is requested. */
static const struct heap_block *
heap_predecessors_next_block (struct heap_predecessors *p, uint32_t i)
{
  if (i + 1 < p->n_blocks)
    block_clear (&p->blocks[i + 1]);
  if (!p->is_helped) {
    make_block (p, &p->blocks[i]);
    return &p->blocks[i];
  }
  pthread_mutex_lock (&p->lock);
  while (p->left > i)
    pthread_cond_wait (&p->changed, &p->lock);
  pthread_mutex_unlock (&p->lock);
  return &p->blocks[i];
}

/* When all blocks were consumed. */
static void
heap_predecessors_clear (struct heap_predecessors *p)
{
  if (p->is_helped)
    pthread_join (p->helper, NULL);
  block_clear (&p->blocks[0]);
  g_free (p->blocks);
  g_free (p->gathered);
  free (p->first);
  free (p->sources);
  pthread_cond_destroy (&p->changed);
  pthread_mutex_destroy (&p->lock);
}

/* ---- dominators ---- */

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
