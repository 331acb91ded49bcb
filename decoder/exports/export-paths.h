/* export-paths.h -- paths from the roots of a heap snapshot as a graph for Graphviz. */
#ifndef PROFLOG_EXPORT_PATHS_H
#define PROFLOG_EXPORT_PATHS_H

#include "decoder/heap/heap-paths.h"

/* Appends the shortest path to an object, without nodes if no root leads to it. */
void export_path_dot (GString *to, const struct heap_paths *paths, uint32_t object);

/* Appends the paths to the objects that are selected, as a tree of the `limit` nodes that lead to
 * most; 0: all.  A node has the number and bytes of the objects to which it leads. */
void export_path_dots (GString *to, const struct heap_paths *paths, const uint8_t *selected,
                       guint limit);

#endif
