/* heap-stacks.h -- the dominators of a heap snapshot as stacks: what keeps what alive. */
#ifndef PROFLOG_HEAP_STACKS_H
#define PROFLOG_HEAP_STACKS_H

#include "decoder/exports/export-stacks.h"
#include "decoder/heap/heap-graph.h"

/* Adds the bytes of each object that is reached, under the classes of the objects that dominate it;
 * the outermost frame is the root.  Objects of one class in a row, as in a list, are one frame. */
void heap_stacks_add (struct export_stacks *stacks, const struct heap_graph *graph);

#endif
