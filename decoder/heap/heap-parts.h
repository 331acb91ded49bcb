/* heap-parts.h -- makes the objects and references of a heap graph of what scans saw of a snapshot.
 */
#ifndef PROFLOG_HEAP_PARTS_H
#define PROFLOG_HEAP_PARTS_H

#include "decoder/heap/heap-graph.h"

/* What a scan saw. */
struct heap_part {
  GByteArray *bytes; /* of struct heap_records */
  guint *types;      /* by numbers of the scan's: types, later classes of the graph */
  guint n_types;
};

/* Fills in a graph's objects and references, and their faults, from parts (of struct heap_part,
 * with classes) in order.  False if there are more than a graph can have; it is to be freed then,
 * too. */
bool heap_parts_read (const GArray *parts, struct heap_graph *graph);

#endif
