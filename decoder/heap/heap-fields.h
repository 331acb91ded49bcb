/* heap-fields.h -- which field of an object, or element of an array, a reference is.
 *
 * Names are written as in the program: "next", "pair.first" in a value, "[12]", "[12].key" in an
 * array of values.
 */
#ifndef PROFLOG_HEAP_FIELDS_H
#define PROFLOG_HEAP_FIELDS_H

#include "decoder/heap/heap-graph.h"

/* Elements begin after vtable, monitor, bounds and length, of a pointer each. */
#define HEAP_ARRAY_HEAD 32

/* The number of the element of an array of references that is at this offset. */
static inline uint32_t
heap_array_element (uint32_t offset)
{
  return offset < HEAP_ARRAY_HEAD ? 0 : (offset - HEAP_ARRAY_HEAD) / 8;
}

/* A field that refers to an object. */
struct heap_field {
  uint32_t offset; /* in its object, or element */
  const char *name;
};

/* Adds a field to those of a class.  `name` must stay as long as the graph. */
void heap_class_add_field (struct heap_class *klass, uint32_t offset, const char *name);

/* The field at this offset; NULL: not known.  Two of one name are the same text; the graph's. */
const char *heap_class_find_field (const struct heap_class *klass, uint32_t offset);

/* The name of a reference of an object (transfer full); NULL: not known.  Without `index`, elements
 * of arrays have none: "[]", "[].key". */
char *heap_field_name (const struct heap_graph *graph, uint32_t object, uint32_t reference,
                       bool index);

/* The field of an object that is no array, as heap_class_find_field. */
const char *heap_field_plain (const struct heap_graph *graph, uint32_t object, uint32_t reference);

/* The same of a reference by its number alone (HEAP_NONE: NULL). */
char *heap_field_of_reference (const struct heap_graph *graph, uint32_t reference);

/* The first reference of an object to another one; HEAP_NONE: there is none. */
uint32_t heap_field_find (const struct heap_graph *graph, uint32_t object, uint32_t target);

/* "Cache.entries", "Entry[12].key" of a class and its field; NULL: "Cache" (transfer full). */
char *heap_field_of_class (const char *klass, const char *field);

/* What a root is called: "static Cache.entries", "stack: ...", "handle" (transfer full). */
char *heap_root_text (const struct heap_root *root);

#endif
