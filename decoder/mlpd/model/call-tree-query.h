/* call-tree-query.h -- trees that are made from another one: read from the other end, or around
 * some methods.
 */
#ifndef PROFLOG_CALL_TREE_QUERY_H
#define PROFLOG_CALL_TREE_QUERY_H

#include "decoder/mlpd/model/call-tree.h"

/* The weight of each node that is of none of its children (transfer full; free with g_free). */
uint64_t *call_tree_self (const struct call_tree *tree);

/* The trees below are made of the first one, into an empty one of the same kind of times. */

/* From each method where the weight arose to its callers.  Times of calls are without callees, but
 * for the longest one.  The `limit` nodes of the highest weights are there, and not much more; 0:
 * all. */
void call_tree_invert (const struct call_tree *tree, guint limit, struct call_tree *to);

/* From each of some methods to its callers, and to its callees.  `wanted` has a byte for each
 * method.  To the callers all calls of a recursion count, and the time of the outermost one. */
void call_tree_find_callers (const struct call_tree *tree, const GByteArray *wanted, guint limit,
                             struct call_tree *to);
void call_tree_find_callees (const struct call_tree *tree, const GByteArray *wanted,
                             struct call_tree *to);

/* A node that is shown, in the order of the tree: a node before its children, larger ones first. */
struct call_tree_row {
  guint node;
  guint depth; /* of the tree, from 0 on */
  guint steps; /* as deep as a reader sees it: below the first level, only branches are steps */
};

/* An order of methods, for nodes of equal weight. */
typedef int call_tree_order (const void *data, uint64_t method, uint64_t other);

/* The `limit` nodes of the highest weights (0: all) but the root (transfer full, of struct
 * call_tree_row).  A node's parent has at least its weight, so it is among them. */
GArray *call_tree_rows (const struct call_tree *tree, guint limit, call_tree_order *order,
                        const void *data);

#endif
