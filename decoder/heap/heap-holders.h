/* heap-holders.h -- what of the program holds an object: the field from which a shortest way from
 * the roots leads to it through nothing but collections of the library and arrays.
 */
#ifndef PROFLOG_HEAP_HOLDERS_H
#define PROFLOG_HEAP_HOLDERS_H

#include "decoder/heap/heap-paths.h"

struct heap_holder {
  uint32_t object;    /* that has the field; HEAP_PATH_ROOT: it is a root; HEAP_PATH_NONE: no root
                         leads there */
  uint32_t reference; /* that it is, or the number of the root */
};

struct heap_holder heap_holder_of (const struct heap_paths *paths, uint32_t object);

/* The same of the same field of objects of the same class. */
uint64_t heap_holder_key (const struct heap_graph *graph, struct heap_holder holder);

/* "static Cache.entries", "Item.name", "Item[]"; NULL: no root leads there (transfer full). */
char *heap_holder_text (const struct heap_graph *graph, struct heap_holder holder);

#endif
