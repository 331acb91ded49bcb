/* heap-search.h -- a depth-first search over a heap graph, from what roots hold.
 *
 * Objects that are reached get numbers in preorder.  The roots stand for one object with the number
 * 0, which refers to all that they hold; weak ones hold nothing.
 */
#ifndef PROFLOG_HEAP_SEARCH_H
#define PROFLOG_HEAP_SEARCH_H

#include "decoder/heap/heap-graph.h"

/* Memory is dear the first time that it is touched, so the search leaves its own. */
#define HEAP_SEARCH_MEMORY 16

struct heap_search {
  uint32_t n;        /* numbers, 0 included */
  uint32_t *numbers; /* by object; 0: not reached */
  uint32_t *objects; /* by number; HEAP_NONE for 0 */
  uint32_t *parents; /* by number: what it was reached from */
  uint64_t *held;    /* a bit a number: by roots */
  void *memory;      /* HEAP_SEARCH_MEMORY bytes for each number, that the search is done with */
};

/* Free what the search has with heap_search_clear. */
void heap_search_init (struct heap_search *search, const struct heap_graph *graph);
void heap_search_clear (struct heap_search *search);

/* Is an object one that a root holds? */
static inline bool
heap_search_is_held (const struct heap_search *s, uint32_t number)
{
  return (s->held[number / 64] >> number % 64 & 1) != 0;
}

#endif
