/* heap-stacks.h -- the dominators of a heap snapshot as stacks: each object below those
 * that keep it alive. */
#ifndef PROFLOG_HEAP_STACKS_H
#define PROFLOG_HEAP_STACKS_H

#include "decoder/exports/export-stacks.h"
#include "decoder/mlpd/query/leaks.h"

/* Adds the bytes of each object that is reached, under the classes of the objects that dominate it;
 * the outermost frame is the root.  Objects of one class in a row, as in a list, are one frame. */
void heap_stacks_add (struct export_stacks *stacks, const struct heap_graph *graph);

/* Adds the bytes of suspected leaks: the outermost frames are the root and the classes of a
 * shortest way to where one accumulates; below that, as above, is what is there. */
void heap_stacks_add_leaks (struct export_stacks *stacks, const struct shot_leaks *found);

#endif
