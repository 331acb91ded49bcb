/* heap-branches.h -- the dominator tree for people: objects of one class below the same object are
 * one branch, and the heaviest branches come first. */
#ifndef PROFLOG_HEAP_BRANCHES_H
#define PROFLOG_HEAP_BRANCHES_H

#include "decoder/heap/heap-dominators.h"

struct heap_branch {
  uint32_t parent; /* branch; HEAP_NONE: the roots */
  uint32_t klass;
  uint32_t first; /* object of it */
  uint32_t objects;
  uint64_t bytes;
  uint64_t retained;
};

/* The heaviest branches of the tree, `limit` of them (0: all), in order of what they retain; so
 * parents are before their children (of struct heap_branch; transfer full).  *more: there are
 * others.  Needs time and memory for those and their children only. */
GArray *heap_branches_find (const struct heap_graph *graph,
                            const struct heap_dominators *dominators, guint limit, bool *more);

/* How the rows of a tree follow each other, from the roots down: of the nodes below one, those with
 * larger weights first.  Parents are before their children; HEAP_NONE: none.  Nodes, in order, and
 * how deep each is (transfer full). */
struct heap_row {
  uint32_t node;
  uint32_t depth;
};
GArray *heap_rows_of_tree (const uint32_t *parents, const uint64_t *weights, uint32_t n);

#endif
