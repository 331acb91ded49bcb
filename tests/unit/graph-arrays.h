/* graph-arrays.h -- graphs of objects that a test lists. */
#ifndef PROFLOG_GRAPH_ARRAYS_H
#define PROFLOG_GRAPH_ARRAYS_H

#include "decoder/heap/heap-graph.h"

/* The parts of a graph.  All is borrowed, and copied. */
struct graph_arrays {
  uint32_t n_objects;
  const uint64_t *addresses; /* ascending, multiples of 8; NULL: 0x1000, 0x1008 ... */
  const uint64_t *bytes;     /* NULL: 8 each */
  const uint32_t *classes;   /* NULL: all of class 0 */
  const uint32_t *first;     /* as in the graph */
  const uint32_t *targets;
  const uint32_t *offsets; /* NULL: unknown */
  const char *const *class_names;
  uint32_t n_classes; /* 0: one, "C" */
  const struct heap_root *roots;
  uint32_t n_roots;
};

/* A graph of these objects.  Free it with heap_graph_free. */
struct heap_graph *graph_from_arrays (const struct graph_arrays *arrays);

#endif
