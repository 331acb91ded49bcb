/* heap-collections.h -- collections of a heap snapshot: how full they are, and how they grow. */
#ifndef PROFLOG_HEAP_COLLECTIONS_H
#define PROFLOG_HEAP_COLLECTIONS_H

#include "decoder/heap/heap-changes.h"
#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-holders.h"

/* A collection of the library, with the arrays that it alone has; or an array of references by
 * itself, whose elements are those that are not null. */
struct heap_filling {
  uint32_t object;
  uint64_t count, capacity; /* elements */
  uint64_t bytes;           /* with its arrays */
  uint64_t wasted;          /* of the elements that there is only room for */
  bool is_known_before;     /* it was in the earlier snapshot */
  uint64_t count_before;    /* there */
  struct heap_holder holder;
};

/* Those of one class that one field holds. */
struct heap_filling_sum {
  uint32_t klass;
  struct heap_holder holder;
  uint64_t collections, empty, sparse; /* sparse: not empty, and less than a quarter is filled */
  uint64_t count, capacity, bytes, wasted;
};

struct heap_collections {
  GArray *all;  /* of struct heap_filling, by object */
  GArray *sums; /* of struct heap_filling_sum */
};

/* The graph must have contents, and stay as long.  `before`: an earlier snapshot; NULL: none.
 * `moves`: of objects since then. */
void heap_collections_init (struct heap_collections *collections, const struct heap_graph *graph,
                            const struct heap_graph *before, const struct heap_moves *moves);
void heap_collections_clear (struct heap_collections *collections);

#endif
