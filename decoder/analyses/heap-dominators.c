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
 * Objects that are reached have numbers in preorder of a search from the roots, which stand for one
 * object with the number 0 that refers to all others that are held.  All is by these numbers, so
 * that a number tells whether an object is linked into the forest already (it is if its number is
 * not smaller than that of the object that was linked last).  Nothing is recursive: chains of
 * references are as long as there are objects.
 */
#include "decoder/analyses/heap-dominators.h"
#include "config.h"
#include <stdlib.h>
#include <string.h>

/* What is looked up in no order is asked for so far ahead. */
#define AHEAD 24

/* All that path compression looks at of an object. */
struct node {
  uint32_t ancestor; /* parent in the search, or further up when it is linked */
  uint32_t best;     /* the smallest semidominator on the way there, the object's own included */
};

struct search {
  const struct heap_graph *g;
  uint32_t n;        /* numbers, 0 for the roots included */
  uint32_t *numbers; /* by object; 0: not reached */
  uint32_t *objects; /* by number; none has 0 */
  uint32_t *parents; /* by number */
  uint64_t *held;    /* a bit a number: by roots */
  uint32_t *first;   /* by number: where its predecessors begin */
  uint32_t *predecessors;
  struct node *nodes;
  uint32_t *semis;      /* by number: semidominators */
  uint32_t *dominators; /* by number */
  uint32_t *path;       /* of a compression */
  size_t path_room;
};

static void *
cleared (size_t n, size_t size)
{
  return memset (heap_array (n, size), 0, MAX (n, 1) * size);
}

/* ---- search ---- */

/* Where a way down went on from, with all that is needed to go on there. */
struct step {
  uint32_t number;    /* the object's */
  uint32_t next, end; /* references, or children */
};

struct way {
  struct step *steps;
  size_t n, room;
};

static inline void
way_push (struct way *way, struct step step)
{
  if (way->n == way->room) {
    way->room = MAX (2 * way->room, 1024);
    way->steps = g_renew (struct step, way->steps, way->room);
  }
  way->steps[way->n++] = step;
}

static inline void
number_object (struct search *s, uint32_t object, uint32_t parent)
{
  const uint32_t number = s->n++;
  s->numbers[object] = number;
  s->objects[number] = object;
  s->parents[number] = parent;
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

/* All that an object leads to, it included. */
static void
search_from (struct search *s, uint32_t object, uint64_t *visited, struct way *way)
{
  const struct heap_graph *g = s->g;
  if (!mark (visited, object))
    return;
  struct step step = { s->n, g->first[object], g->first[object + 1] };
  number_object (s, object, 0);
  for (;;) {
    while (step.next < step.end && !mark (visited, g->targets[step.next]))
      step.next++;
    if (step.next < step.end) {
      const uint32_t target = g->targets[step.next++];
      if (step.next < step.end)
        way_push (way, step);
      const uint32_t number = s->n;
      number_object (s, target, step.number);
      step = (struct step){ number, g->first[target], g->first[target + 1] };
      continue;
    }
    if (way->n == 0)
      return;
    step = way->steps[--way->n];
    if (way->n != 0)
      __builtin_prefetch (&g->targets[way->steps[way->n - 1].next]);
  }
}

static void
search (struct search *s)
{
  const struct heap_graph *g = s->g;
  const size_t n = (size_t) g->n_objects + 1;
  uint64_t *visited = g_new0 (uint64_t, n / 64 + 1);
  struct way way = { 0 };
  s->numbers = cleared (g->n_objects, sizeof *s->numbers);
  s->objects = heap_array (n, sizeof *s->objects);
  s->parents = heap_array (n, sizeof *s->parents);
  s->held = g_new0 (uint64_t, n / 64 + 1);
  s->objects[0] = HEAP_NONE;
  s->parents[0] = 0;
  s->n = 1;
  for (uint32_t i = 0; i < g->n_roots; i++)
    if (!g->roots[i].is_weak)
      search_from (s, g->roots[i].object, visited, &way);
  for (uint32_t i = 0; i < g->n_roots; i++)
    if (!g->roots[i].is_weak)
      mark (s->held, s->numbers[g->roots[i].object]);
  g_free (way.steps);
  g_free (visited);
}

/* ---- predecessors ---- */

/* Of those that a root holds none are needed: nothing has a smaller number than the roots. */
static inline bool
needs_predecessors (const struct search *s, uint32_t number)
{
  return (s->held[number / 64] >> number % 64 & 1) == 0;
}

static void
find_predecessors (struct search *s)
{
  const struct heap_graph *g = s->g;
  s->first = cleared ((size_t) s->n + 1, sizeof *s->first);
  for (uint32_t i = 0; i < g->n_objects; i++) {
    if (s->numbers[i] == 0)
      continue;
    for (uint32_t r = g->first[i]; r < g->first[i + 1]; r++) {
      if (r + AHEAD < g->n_references)
        __builtin_prefetch (&s->numbers[g->targets[r + AHEAD]]);
      s->first[s->numbers[g->targets[r]]]++;
    }
  }
  uint32_t sum = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    if (!needs_predecessors (s, i))
      s->first[i] = 0;
    s->first[i] = sum += s->first[i];
  }
  s->first[s->n] = sum;
  s->predecessors = heap_array (sum, sizeof *s->predecessors);
  /* From their ends on to their beginnings. */
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint32_t number = s->numbers[i];
    if (number == 0)
      continue;
    for (uint32_t r = g->first[i]; r < g->first[i + 1]; r++) {
      const uint32_t target = s->numbers[g->targets[r]];
      if (r + AHEAD < g->n_references)
        __builtin_prefetch (&s->numbers[g->targets[r + AHEAD]]);
      if (needs_predecessors (s, target))
        s->predecessors[--s->first[target]] = number;
    }
  }
}

/* ---- dominators ---- */

/* The smallest semidominator on the way from a linked object up to one that is not linked; all from
 * the number `linked` on are. */
static inline uint32_t
evaluate (struct search *s, uint32_t number, uint32_t linked)
{
  struct node *nodes = s->nodes;
  size_t n = 0;
  for (uint32_t at = number; nodes[at].ancestor >= linked; at = nodes[at].ancestor) {
    if (n == s->path_room) {
      s->path_room = MAX (2 * s->path_room, 1024);
      s->path = g_renew (uint32_t, s->path, s->path_room);
    }
    s->path[n++] = at;
  }
  while (n > 0) {
    struct node *node = &nodes[s->path[--n]];
    const struct node above = nodes[node->ancestor];
    node->best = MIN (node->best, above.best);
    node->ancestor = above.ancestor;
  }
  return nodes[number].best;
}

static void
find_semidominators (struct search *s)
{
  struct node *nodes = s->nodes = heap_array (s->n, sizeof *nodes);
  s->semis = heap_array (s->n, sizeof *s->semis);
  for (uint32_t w = 0; w < s->n; w++)
    nodes[w] = (struct node){ s->parents[w], w };
  for (uint32_t w = s->n - 1; w > 0; w--) {
    uint32_t semi = needs_predecessors (s, w) ? s->parents[w] : 0;
    for (uint32_t i = s->first[w + 1]; i-- > s->first[w];) {
      if (i >= AHEAD)
        __builtin_prefetch (&nodes[s->predecessors[i - AHEAD]]);
      const uint32_t v = s->predecessors[i];
      const uint32_t found = v <= w ? v : evaluate (s, v, w + 1);
      semi = MIN (semi, found);
    }
    s->semis[w] = nodes[w].best = semi;
  }
}

static void
find_dominators (struct search *s)
{
  uint32_t *further = heap_array (s->n, sizeof *further); /* up the tree */
  uint32_t *depths = heap_array (s->n, sizeof *depths);
  uint32_t *dominators = s->dominators = heap_array (s->n, sizeof *dominators);
  dominators[0] = further[0] = depths[0] = 0;
  for (uint32_t w = 1; w < s->n; w++) {
    const uint32_t semi = s->semis[w];
    uint32_t at = s->parents[w];
    while (at > semi)
      at = further[at] > semi ? further[at] : dominators[at];
    dominators[w] = at;
    depths[w] = depths[at] + 1;
    const uint32_t once = further[at], twice = further[once];
    further[w] = depths[at] - depths[once] == depths[once] - depths[twice] ? twice : at;
  }
  free (further);
  free (depths);
}

static void
add_up (const struct search *s, struct heap_dominators *d)
{
  const struct heap_graph *g = s->g;
  uint64_t *retained = heap_array (s->n, sizeof *retained);
  retained[0] = 0;
  for (uint32_t w = 1; w < s->n; w++)
    retained[w] = g->bytes[s->objects[w]];
  for (uint32_t w = s->n - 1; w > 0; w--)
    retained[s->dominators[w]] += retained[w];
  d->reached_bytes = retained[0];
  d->n_reached = s->n - 1;
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint32_t number = d->dominators[i];
    d->retained[i] = number != 0 ? retained[number] : 0;
    if (number == 0)
      d->dominators[i] = HEAP_UNREACHED;
    else
      d->dominators[i]
          = s->dominators[number] != 0 ? s->objects[s->dominators[number]] : HEAP_ROOTS;
  }
  free (retained);
}

struct heap_dominators *
heap_dominators_new (const struct heap_graph *g)
{
  struct search s = { .g = g };
  struct heap_dominators *d = g_new0 (struct heap_dominators, 1);
  d->n_objects = g->n_objects;
  search (&s);
  find_predecessors (&s);
  find_semidominators (&s);
  free (s.first);
  free (s.predecessors);
  free (s.nodes);
  g_free (s.held);
  g_free (s.path);
  find_dominators (&s);
  free (s.semis);
  free (s.parents);
  d->dominators = s.numbers;
  d->retained = heap_array (g->n_objects, sizeof *d->retained);
  add_up (&s, d);
  free (s.objects);
  free (s.dominators);
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
  t->first = cleared (n + 3, sizeof *t->first);
  t->children = heap_array (d->n_reached, sizeof *t->children);
  for (uint32_t i = 0; i < n; i++)
    if (d->dominators[i] != HEAP_UNREACHED)
      t->first[MIN (d->dominators[i], n) + 2]++;
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

uint64_t *
heap_dominators_by_group (const struct heap_dominators *d, const uint32_t *groups,
                          uint32_t n_groups)
{
  uint64_t *sums = g_new0 (uint64_t, n_groups);
  uint32_t *open = g_new0 (uint32_t, n_groups); /* objects of the group on the way down */
  struct way way = { 0 };
  struct heap_tree t;
  heap_tree_init (&t, d);
  struct step step = { d->n_objects, t.first[d->n_objects], t.first[d->n_objects + 1] };
  for (;;) {
    if (step.next < step.end) {
      const uint32_t child = t.children[step.next++], group = groups[child];
      if (open[group]++ == 0)
        sums[group] += d->retained[child];
      way_push (&way, step);
      step = (struct step){ child, t.first[child], t.first[child + 1] };
      continue;
    }
    if (way.n == 0)
      break;
    open[groups[step.number]]--;
    step = way.steps[--way.n];
  }
  heap_tree_clear (&t);
  g_free (way.steps);
  g_free (open);
  return sums;
}

uint64_t *
heap_dominators_by_class (const struct heap_dominators *d, const struct heap_graph *g)
{
  return heap_dominators_by_group (d, g->classes, g->n_classes);
}
