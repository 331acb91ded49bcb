/* heap-dominators.h -- what retains each object of a heap graph, and how much is freed with it.
 *
 * An object dominates another if all ways from the roots to that lead through it.  The nearest of
 * those is its immediate dominator; all of them make a tree.  What an object retains is the bytes
 * of its part of the tree: they are free when it is gone.
 */
#ifndef PROFLOG_HEAP_DOMINATORS_H
#define PROFLOG_HEAP_DOMINATORS_H

#include "decoder/heap/heap-graph.h"

/* In place of a dominator: nothing but the roots, which are no object; and no root leads to it. */
#define HEAP_ROOTS (UINT32_MAX - 1)
#define HEAP_UNREACHED UINT32_MAX

struct heap_dominators {
  uint32_t n_objects;
  uint32_t *dominators; /* by object: its immediate dominator, HEAP_ROOTS or HEAP_UNREACHED */
  uint64_t *retained;   /* by object: bytes, its own included; 0 if it is not reached */
  uint32_t n_reached;
  uint64_t reached_bytes;
};

/* The dominators of all objects.  Weak roots do not count. */
struct heap_dominators *heap_dominators_new (const struct heap_graph *graph);
void heap_dominators_free (struct heap_dominators *dominators);

/* The tree: children of an object are children[first[object]] up to first[object + 1], without
 * that, in order of their numbers; those of the roots are at first[n_objects].  `first` has
 * n_objects + 2 places. */
struct heap_tree {
  uint32_t *first;
  uint32_t *children;
};
void heap_tree_init (struct heap_tree *tree, const struct heap_dominators *dominators);
void heap_tree_clear (struct heap_tree *tree);

/* Bytes that the objects of each group retain together: what one of them dominates, whether others
 * of the group dominate it too or not, is counted once.  `groups` has the group of each object.
 * By group (transfer full, g_free). */
uint64_t *heap_dominators_by_group (const struct heap_dominators *dominators,
                                    const uint32_t *groups, uint32_t n_groups);

#endif
