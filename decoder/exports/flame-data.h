/* flame-data.h -- a flame graph as its script (flame-graph.js) reads it. */
#ifndef PROFLOG_FLAME_DATA_H
#define PROFLOG_FLAME_DATA_H

#include "decoder/exports/export-out.h"
#include "decoder/exports/flame-tree.h"

/* Appends an object of JSON, which may stand in a page: "unit", and columns, in which the root is
 * not: "frames" (names), and by node "parents", "names" (places in "frames"), "selves" and in a
 * comparison "before".  "has_threads": the outermost frames are threads. */
void flame_data_append (const struct flame_tree *tree, struct export_out *out);

/* The same into memory. */
void flame_data_put (const struct flame_tree *tree, GString *json);

#endif
