/* heap-paths.h -- the shortest ways from the roots to objects of a heap graph. */
#ifndef PROFLOG_HEAP_PATHS_H
#define PROFLOG_HEAP_PATHS_H

#include "decoder/heap/heap-graph.h"

/* In place of a parent: a root holds the object itself; nothing leads to it. */
#define HEAP_PATH_ROOT (UINT32_MAX - 1)
#define HEAP_PATH_NONE UINT32_MAX

struct heap_paths {
  const struct heap_graph *graph;
  uint32_t *parents; /* by object: what refers to it on a shortest way */
  uint32_t *through; /* by object: the reference of its parent, or the root that holds it */
  uint32_t *order;   /* objects that are reached, each after its parent */
  uint32_t n_reached;
};

/* Is it a root that passes: a stack, or of what waits for its finalizer? */
bool heap_root_is_passing (const struct heap_root *root);

/* Weak roots lead nowhere.  A way from a root that lasts, such as a static field, comes before one
 * from a root that passes, however short that is: stacks and finalizers hold what may be gone soon.
 */
void heap_paths_init (struct heap_paths *paths, const struct heap_graph *graph);
void heap_paths_clear (struct heap_paths *paths);

/* Ways to many objects as a tree: paths that are the same from the roots on, by classes and
 * fields, share nodes.  Where a class follows another as it did shortly before on the way, as in
 * lists, that is the same node again. */
struct heap_path_node {
  uint32_t parent;  /* HEAP_NONE: none */
  uint32_t klass;   /* HEAP_NONE: it is a root */
  uint32_t root;    /* one of those that it stands for, which have one kind, name and field */
  uint64_t objects; /* that ways through it lead to */
  uint64_t bytes;
  uint64_t own_objects; /* at whose ends it is */
  uint64_t own_bytes;
  const char *field; /* of the parent, no array, that leads to it; NULL: not known; the graph's */
};

/* The tree of the ways to objects that are requested (of struct heap_path_node; transfer full):
 * parents are before their children. */
GArray *heap_paths_merge (const struct heap_paths *paths, const uint8_t *selected);

#endif
