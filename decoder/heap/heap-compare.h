/* heap-compare.h -- the heaps of two runs of a program: no object of one is in the other, so what
 * is compared are sums. */
#ifndef PROFLOG_HEAP_COMPARE_H
#define PROFLOG_HEAP_COMPARE_H

#include "decoder/heap/heap-changes.h"

/* Objects of a class in one place: held by a field, or allocated in a method. */
struct heap_place {
  const char *name;  /* of the class; the comparison's */
  const char *place; /* "static Cache.entries", "List<Item>._items", "Item[]"; the comparison's */
  struct heap_sum before, now;
};

struct heap_compare {
  GArray *holders; /* of struct heap_place: each object is held by one, on a shortest way */
  GArray *sites;   /* of struct heap_place, without bytes; empty: no allocations are known */
  GStringChunk *names;
  GHashTable *numbers[2]; /* of holders, and of sites: name and place -> number + 1 */
};

/* Adds up what holds the objects of both graphs. */
void heap_compare_init (struct heap_compare *compare, const struct heap_graph *before,
                        const struct heap_graph *now);
void heap_compare_clear (struct heap_compare *compare);

/* Adds objects of a class that were allocated in one place. */
void heap_compare_add_site (struct heap_compare *compare, bool is_now, const char *name,
                            const char *site, uint64_t objects);

#endif
