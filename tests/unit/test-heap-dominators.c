/* test-heap-dominators.c -- dominators and retained sizes of graphs that were computed by hand,
 * and of random ones by taking each object away in turn. */
#include "config.h"

#include "decoder/heap/heap-dominators.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

/* ---- graphs ---- */

struct edges {
  uint32_t n_objects;
  GArray *edges; /* of struct edge */
  GArray *held;  /* of uint32_t: objects that roots hold */
};

struct edge {
  uint32_t from, to;
};

static struct edges
edges_new (uint32_t n_objects)
{
  return (struct edges){ .n_objects = n_objects,
                         .edges = g_array_new (FALSE, FALSE, sizeof (struct edge)),
                         .held = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
}

static void
refer (struct edges *e, uint32_t from, uint32_t to)
{
  const struct edge edge = { from, to };
  g_array_append_val (e->edges, edge);
}

static void
hold (struct edges *e, uint32_t object)
{
  g_array_append_val (e->held, object);
}

/* Object i has 1 << i bytes where there are few, else i + 1. */
static uint64_t
size_of (const struct edges *e, uint32_t object)
{
  return e->n_objects <= 32 ? UINT64_C (1) << object : object + 1;
}

static int
compare_edges (const void *a, const void *b)
{
  const struct edge *x = a, *y = b;
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                            : (x->to > y->to) - (x->to < y->to);
}

/* Frees the edges. */
static struct heap_graph *
make (struct edges *e, const uint32_t *classes, uint32_t n_classes)
{
  static const char *const names[] = { "A", "B", "C", "D" };
  const uint32_t n = e->n_objects;
  uint32_t *first = g_new0 (uint32_t, n + 1), *targets = g_new (uint32_t, e->edges->len + 1);
  uint64_t *bytes = g_new (uint64_t, n + 1);
  struct heap_root *roots = g_new0 (struct heap_root, e->held->len + 1);
  g_array_sort (e->edges, compare_edges);
  for (guint i = 0; i < e->edges->len; i++) {
    first[g_array_index (e->edges, struct edge, i).from + 1]++;
    targets[i] = g_array_index (e->edges, struct edge, i).to;
  }
  for (uint32_t i = 0; i < n; i++) {
    first[i + 1] += first[i];
    bytes[i] = size_of (e, i);
  }
  for (guint i = 0; i < e->held->len; i++)
    roots[i]
        = (struct heap_root){ .object = g_array_index (e->held, uint32_t, i), .kind = "stack" };
  const struct graph_arrays arrays = { .n_objects = n,
                                       .bytes = bytes,
                                       .classes = classes,
                                       .first = first,
                                       .targets = targets,
                                       .class_names = names,
                                       .n_classes = n_classes,
                                       .roots = roots,
                                       .n_roots = e->held->len };
  struct heap_graph *g = graph_from_arrays (&arrays);
  g_free (first);
  g_free (targets);
  g_free (bytes);
  g_free (roots);
  g_array_unref (e->edges);
  g_array_unref (e->held);
  return g;
}

static void
expect_dominators (const struct heap_dominators *d, uint32_t object, uint32_t dominator,
                   uint64_t retained)
{
  assert_int_equal (d->dominators[object], dominator);
  assert_int_equal (d->retained[object], retained);
}

/* ---- by hand ---- */

/* 0 -> 1, 2; 1 -> 3; 2 -> 3; 3 -> 4; 4 -> 3: what is after 3 is 0's, over no matter which. */
TEST (test_diamond)
{
  struct edges e = edges_new (5);
  hold (&e, 0);
  refer (&e, 0, 1);
  refer (&e, 0, 2);
  refer (&e, 1, 3);
  refer (&e, 2, 3);
  refer (&e, 3, 4);
  refer (&e, 4, 3);
  struct heap_graph *g = make (&e, NULL, 0);
  struct heap_dominators *d = heap_dominators_new (g);
  expect_dominators (d, 0, HEAP_ROOTS, 31);
  expect_dominators (d, 1, 0, 2);
  expect_dominators (d, 2, 0, 4);
  expect_dominators (d, 3, 0, 8 + 16);
  expect_dominators (d, 4, 3, 16);
  assert_int_equal (d->n_reached, 5);
  assert_int_equal (d->reached_bytes, 31);
  heap_dominators_free (d);
  heap_graph_free (g);
}

/* The flowgraph of figure 1 of Lengauer and Tarjan's paper, with its dominator tree of figure 2:
 * R is held; A B C D E F G H I J K L are 1 to 12. */
TEST (test_paper)
{
  enum { R, A, B, C, D, E, F, G, H, I, J, K, L, OBJECTS };
  static const struct edge figure[]
      = { { R, A }, { R, B }, { R, C }, { A, D }, { B, A }, { B, D }, { B, E },
          { C, F }, { C, G }, { D, L }, { E, H }, { F, I }, { G, I }, { G, J },
          { H, E }, { H, K }, { I, K }, { J, I }, { K, I }, { K, R }, { L, H } };
  static const uint32_t dominators[OBJECTS] = { HEAP_ROOTS, R, R, R, R, R, C, C, R, R, G, R, D };
  struct edges e = edges_new (OBJECTS);
  hold (&e, R);
  for (guint i = 0; i < G_N_ELEMENTS (figure); i++)
    refer (&e, figure[i].from, figure[i].to);
  struct heap_graph *g = make (&e, NULL, 0);
  struct heap_dominators *d = heap_dominators_new (g);
  for (uint32_t i = 0; i < OBJECTS; i++)
    assert_int_equal (d->dominators[i], dominators[i]);
  assert_int_equal (d->retained[C], 1 << C | 1 << F | 1 << G | 1 << J);
  assert_int_equal (d->retained[D], 1 << D | 1 << L);
  heap_dominators_free (d);
  heap_graph_free (g);
}

/* Two roots; 2 is held by itself and by 0; 3 is not reached, though it refers to 0; 4 refers to
 * itself and twice to 1.  A weak root holds nothing. */
TEST (test_roots)
{
  struct edges e = edges_new (6);
  hold (&e, 0);
  hold (&e, 2);
  hold (&e, 4);
  hold (&e, 5);
  refer (&e, 0, 2);
  refer (&e, 3, 0);
  refer (&e, 4, 4);
  refer (&e, 4, 1);
  refer (&e, 4, 1);
  struct heap_graph *g = make (&e, NULL, 0);
  g->roots[3].is_weak = true;
  struct heap_dominators *d = heap_dominators_new (g);
  expect_dominators (d, 0, HEAP_ROOTS, 1);
  expect_dominators (d, 1, 4, 2);
  expect_dominators (d, 2, HEAP_ROOTS, 4);
  expect_dominators (d, 3, HEAP_UNREACHED, 0);
  expect_dominators (d, 4, HEAP_ROOTS, 16 + 2);
  expect_dominators (d, 5, HEAP_UNREACHED, 0);
  assert_int_equal (d->n_reached, 4);
  heap_dominators_free (d);
  heap_graph_free (g);
}

TEST (test_nothing)
{
  struct edges e = edges_new (0);
  struct heap_graph *g = make (&e, NULL, 0);
  struct heap_dominators *d = heap_dominators_new (g);
  assert_int_equal (d->n_reached, 0);
  uint64_t *by_class = heap_dominators_by_group (d, g->classes, g->n_classes);
  assert_int_equal (by_class[0], 0);
  g_free (by_class);
  heap_dominators_free (d);
  heap_graph_free (g);
}

/* A list of A with a B each, and a B of its own: what A retain is counted once, at the first. */
TEST (test_classes)
{
  enum { A, B };
  static const uint32_t classes[] = { A, A, A, B, B, B, B };
  struct edges e = edges_new (7);
  hold (&e, 0);
  hold (&e, 6);
  refer (&e, 0, 1);
  refer (&e, 1, 2);
  refer (&e, 0, 3);
  refer (&e, 1, 4);
  refer (&e, 2, 5);
  struct heap_graph *g = make (&e, classes, 2);
  struct heap_dominators *d = heap_dominators_new (g);
  uint64_t *by_class = heap_dominators_by_group (d, g->classes, g->n_classes);
  assert_int_equal (by_class[A], 1 + 2 + 4 + 8 + 16 + 32);
  assert_int_equal (by_class[B], 8 + 16 + 32 + 64);
  g_free (by_class);
  struct heap_tree t;
  heap_tree_init (&t, d);
  assert_int_equal (t.first[8] - t.first[7], 2); /* of the roots */
  assert_int_equal (t.children[t.first[7]], 0);
  assert_int_equal (t.children[t.first[7] + 1], 6);
  assert_int_equal (t.first[1] - t.first[0], 2);
  assert_int_equal (t.children[t.first[0]], 1);
  assert_int_equal (t.children[t.first[0] + 1], 3);
  heap_tree_clear (&t);
  heap_dominators_free (d);
  heap_graph_free (g);
}

/* ---- large ---- */

/* Nothing is recursive: a chain, with a reference back to its beginning from each link. */
TEST (test_chain)
{
  const uint32_t n = 1000000;
  struct edges e = edges_new (n);
  hold (&e, 0);
  for (uint32_t i = 0; i + 1 < n; i++)
    refer (&e, i, i + 1);
  for (uint32_t i = 0; i < n; i++)
    refer (&e, i, 0);
  struct heap_graph *g = make (&e, NULL, 0);
  struct heap_dominators *d = heap_dominators_new (g);
  uint64_t below = 0;
  for (uint32_t i = n; i-- > 0;) {
    below += i + 1;
    if (d->dominators[i] != (i == 0 ? HEAP_ROOTS : i - 1) || d->retained[i] != below)
      fail_msg ("object %u", i);
  }
  uint64_t *by_class = heap_dominators_by_group (d, g->classes, g->n_classes);
  assert_int_equal (by_class[0], (uint64_t) n * (n + 1) / 2);
  g_free (by_class);
  heap_dominators_free (d);
  heap_graph_free (g);
}

/* A chain whose last link refers to many objects that something else refers to as well: where the
 * way up the chain is gone for each of them, this takes for ever. */
TEST (test_fan_behind_chain)
{
  const uint32_t n = 200000;
  struct edges e = edges_new (2 * n);
  hold (&e, 0);
  hold (&e, n - 1);
  for (uint32_t i = 1; i + 1 < n; i++)
    refer (&e, i, i + 1);
  refer (&e, 0, 1);
  for (uint32_t i = 0; i < n; i++) {
    refer (&e, n - 1, n + i);
    refer (&e, 0, n + i);
  }
  struct heap_graph *g = make (&e, NULL, 0);
  struct heap_dominators *d = heap_dominators_new (g);
  for (uint32_t i = 0; i < 2 * n; i++)
    if (d->dominators[i] != (i == 0 || i >= n - 1 ? HEAP_ROOTS : i - 1))
      fail_msg ("object %u", i);
  heap_dominators_free (d);
  heap_graph_free (g);
}

/* ---- random ---- */

/* What roots lead to without going through an object. */
static void
reach_without (const struct heap_graph *g, uint32_t without, bool *reached)
{
  GArray *open = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t i = 0; i < g->n_objects; i++)
    reached[i] = false;
  for (uint32_t i = 0; i < g->n_roots; i++)
    g_array_append_val (open, g->roots[i].object);
  while (open->len != 0) {
    const uint32_t object = g_array_index (open, uint32_t, open->len - 1);
    g_array_set_size (open, open->len - 1);
    if (object == without || reached[object])
      continue;
    reached[object] = true;
    g_array_append_vals (open, &g->targets[g->first[object]],
                         g->first[object + 1] - g->first[object]);
  }
  g_array_unref (open);
}

/* An object dominates what is not reached without it; of those that dominate an object, the one
 * that most others dominate is the nearest. */
static void
check_graph (const struct heap_graph *g, const struct heap_dominators *d)
{
  const uint32_t n = g->n_objects;
  bool *all = g_new (bool, n + 1), *without = g_new (bool, n + 1);
  uint32_t *nearest = g_new (uint32_t, n + 1), *depths = g_new0 (uint32_t, n + 1);
  uint8_t *dominates = g_new0 (uint8_t, (size_t) n * n + 1);
  reach_without (g, HEAP_NONE, all);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t retained = 0;
    reach_without (g, i, without);
    for (uint32_t j = 0; j < n; j++) {
      dominates[(size_t) i * n + j] = all[j] && !without[j];
      depths[j] += all[j] && !without[j];
      retained += all[j] && !without[j] ? g->bytes[j] : 0;
    }
    assert_int_equal (d->retained[i], retained);
  }
  for (uint32_t j = 0; j < n; j++) {
    nearest[j] = all[j] ? HEAP_ROOTS : HEAP_UNREACHED;
    for (uint32_t i = 0; i < n; i++)
      if (i != j && dominates[(size_t) i * n + j] && depths[i] + 1 == depths[j])
        nearest[j] = i;
    assert_int_equal (d->dominators[j], nearest[j]);
  }
  g_free (all);
  g_free (without);
  g_free (nearest);
  g_free (depths);
  g_free (dominates);
}

TEST (test_random)
{
  GRand *random = g_rand_new_with_seed (20101);
  for (int round = 0; round < 2000; round++) {
    const uint32_t n = (uint32_t) g_rand_int_range (random, 1, 40);
    const int n_edges = g_rand_int_range (random, 0, (int) (3 * n));
    struct edges e = edges_new (n);
    for (int i = 0; i < n_edges; i++)
      refer (&e, (uint32_t) g_rand_int_range (random, 0, (int) n),
             (uint32_t) g_rand_int_range (random, 0, (int) n));
    for (int i = g_rand_int_range (random, 0, 4); i > 0; i--)
      hold (&e, (uint32_t) g_rand_int_range (random, 0, (int) n));
    struct heap_graph *g = make (&e, NULL, 0);
    struct heap_dominators *d = heap_dominators_new (g);
    check_graph (g, d);
    heap_dominators_free (d);
    heap_graph_free (g);
  }
  g_rand_free (random);
}

/* ---- large and random ---- */

/* What the search in another order is done with. */
struct order {
  uint32_t *objects; /* those that are done first last; n of them, from `first` on */
  uint32_t *places;  /* by object; 0: not reached */
  uint32_t first;
};

/* Reverse postorder, which begins with 1: what roots hold comes from 0. */
static struct order
order_new (const struct heap_graph *g)
{
  const uint32_t n = g->n_objects;
  struct order o = { g_new0 (uint32_t, n + 1), g_new0 (uint32_t, n), n + 1 };
  uint32_t *way = g_new (uint32_t, n), *next = g_memdup2 (g->first, (n + 1) * sizeof *next);
  for (uint32_t i = 0; i < g->n_roots; i++) {
    uint32_t depth = 0;
    for (uint32_t at = g->roots[i].object; at != HEAP_NONE;) {
      if (o.places[at] == 0) {
        o.places[at] = n + 1; /* open */
        way[depth++] = at;
      }
      if (depth == 0)
        break;
      const uint32_t top = way[depth - 1];
      if (next[top] < g->first[top + 1]) {
        at = g->targets[next[top]++];
        at = o.places[at] == 0 ? at : top;
        continue;
      }
      o.objects[--o.first] = top;
      o.places[top] = o.first;
      at = --depth > 0 ? way[depth - 1] : HEAP_NONE;
    }
  }
  g_free (way);
  g_free (next);
  return o;
}

static uint32_t
common (const uint32_t *dominators, uint32_t a, uint32_t b)
{
  while (a != b)
    if (a > b)
      a = dominators[a];
    else
      b = dominators[b];
  return a;
}

/* By places: all is read until nothing changes, as in: Keith D. Cooper, Timothy
 * J. Harvey, Ken Kennedy: A simple, fast dominance algorithm.  Rice University, 2001. */
static uint32_t *
iterate (const struct heap_graph *g, const struct order *o)
{
  const uint32_t n = g->n_objects;
  uint32_t *dominators = g_new (uint32_t, n + 1);
  for (uint32_t i = 0; i <= n; i++)
    dominators[i] = HEAP_NONE;
  dominators[0] = 0;
  for (uint32_t i = 0; i < g->n_roots; i++)
    dominators[o->places[g->roots[i].object]] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t from = o->first; from <= n; from++) {
      const uint32_t object = o->objects[from];
      for (uint32_t r = g->first[object]; r < g->first[object + 1]; r++) {
        uint32_t *to = &dominators[o->places[g->targets[r]]];
        const uint32_t now = *to == HEAP_NONE ? from : common (dominators, *to, from);
        changed |= now != *to;
        *to = now;
      }
    }
  }
  return dominators;
}

/* Enough for threads, and for several blocks of numbers. */
TEST (test_large)
{
  const uint32_t n = 40000;
  GRand *random = g_rand_new_with_seed (2001);
  struct edges e = edges_new (n);
  for (uint32_t i = 0; i < 5 * n / 2; i++) {
    const uint32_t from = (uint32_t) g_rand_int_range (random, 0, (int) n);
    const int near = (int) from + g_rand_int_range (random, -20, 60);
    const bool is_near = g_rand_int_range (random, 0, 100) != 0 && near >= 0 && near < (int) n;
    refer (&e, from, is_near ? (uint32_t) near : (uint32_t) g_rand_int_range (random, 0, (int) n));
  }
  for (int i = 0; i < 9; i++)
    hold (&e, (uint32_t) g_rand_int_range (random, 0, (int) n));
  struct heap_graph *g = make (&e, NULL, 0);
  struct heap_dominators *d = heap_dominators_new (g);
  const struct order o = order_new (g);
  uint32_t *dominators = iterate (g, &o), not_roots = 0;
  assert_int_equal (d->n_reached, n + 1 - o.first);
  assert_in_range (d->n_reached, 3 * n / 4, n - 1);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t place = o.places[i];
    const uint32_t wanted = place == 0               ? HEAP_UNREACHED
                            : dominators[place] == 0 ? HEAP_ROOTS
                                                     : o.objects[dominators[place]];
    not_roots += place != 0 && dominators[place] != 0;
    if (d->dominators[i] != wanted)
      fail_msg ("object %u: %u, not %u", i, d->dominators[i], wanted);
  }
  assert_in_range (not_roots, n / 4, n);
  g_free (dominators);
  g_free (o.objects);
  g_free (o.places);
  heap_dominators_free (d);
  heap_graph_free (g);
  g_rand_free (random);
}
