/* heap-graph.h -- the objects of a heap snapshot and the references between them, as dense numbers.
 *
 * Objects are numbered 0, 1, 2 ... in order of their addresses, so that an object's number is found
 * from its address and what lies near in memory has numbers that are near.  References of an object
 * are a range of `targets`.  Roots are apart.  What a damaged snapshot states twice, or of what it
 * does not have, is left out and counted; the rest is a graph without holes.
 *
 * A graph does not need the log, or the summary that it was made of.  It is read only once made,
 * and then may be used by several threads.
 */
#ifndef PROFLOG_HEAP_GRAPH_H
#define PROFLOG_HEAP_GRAPH_H

#include "decoder/heap/heapshot-state.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct heap_contents;

/* In place of an object: there is none. */
#define HEAP_NONE UINT32_MAX

/* Objects, and references, of a graph at most. */
#define HEAP_GRAPH_MAX (UINT32_MAX - 1)

struct heap_class {
  const char *name;  /* the graph's */
  const char *image; /* file name of the image that it is of; NULL: unknown */
  /* What a log of our module states of references (heap-fields.h). */
  GArray *fields;         /* of struct heap_field, by offset; NULL: none */
  uint32_t element_bytes; /* an array of values, which have these fields; 0: it is none */
};

/* Is it a class of arrays? */
bool heap_class_is_array (const struct heap_class *klass);

/* A root, which retains an object. */
struct heap_root {
  uint32_t object;
  bool is_weak;       /* it does not retain the object */
  bool is_pinning;    /* the object cannot be moved */
  const char *kind;   /* "stack", "static" ...; static text */
  const char *name;   /* its description, as "static fields of Cache"; NULL: unknown; the graph's */
  const char *field;  /* static: the field that it is; NULL: unknown; the graph's */
  const char *holder; /* with `field`: the class that it is of; the graph's */
  uint64_t address;   /* of the slot that refers to the object; 0: unknown */
};

struct heap_graph {
  uint32_t n_objects;
  uint32_t n_references;
  uint32_t n_classes;
  uint32_t n_roots;

  /* By object. */
  uint64_t *addresses;  /* ascending */
  uint64_t *bytes;      /* its size */
  uint32_t *classes;    /* its class */
  uint8_t *generations; /* 0: nursery, or not known */
  uint32_t *first;      /* its references are first[object] to first[object + 1], without that;
                           there is one more than objects */
  /* By reference. */
  uint32_t *targets; /* objects */
  uint32_t *offsets; /* of the reference in its object, in bytes; UINT32_MAX: at least that far.
                        NULL: the log does not state it (data version 1) */

  struct heap_class *class_list; /* by class */
  bool has_fields;               /* the log describes classes */
  struct heap_root *roots;
  bool roots_are_assumed; /* the log states none: what no object refers to, and an object of each
                             cycle that nothing else leads to, was taken for roots */

  /* The snapshot. */
  unsigned index;   /* from 1, among all of the log; 0: it is of no log */
  uint64_t time_ns; /* of its start on the log's own clock */
  enum heapshot_state state;

  /* Its faults. */
  uint64_t dangling_references; /* to objects that it does not have: left out */
  uint64_t dangling_roots;
  uint64_t duplicate_objects; /* more descriptions of objects that it has: left out */

  struct heap_contents *contents; /* heap-contents.h; NULL: the log does not state them */

  uint64_t total_bytes;
  GStringChunk *names;
};

void heap_graph_free (struct heap_graph *graph);

/* The object at an address, HEAP_NONE if none begins there. */
uint32_t heap_graph_find (const struct heap_graph *graph, uint64_t address);

/* The object that an address is in. */
uint32_t heap_graph_find_inside (const struct heap_graph *graph, uint64_t address);

/* Makes roots of the objects to which no other object refers, and of an object of each cycle that
 * these do not lead to.  For graphs without roots. */
void heap_graph_assume_roots (struct heap_graph *graph);

#endif
