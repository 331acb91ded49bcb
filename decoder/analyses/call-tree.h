/* call-tree.h -- who calls whom: each stack that calls were made at is a path from the root, which
 * is no call.
 */
#ifndef PROFLOG_CALL_TREE_H
#define PROFLOG_CALL_TREE_H

#include "decoder/analyses/traces.h"

/* Frames of a stack that are told apart: more would be a table of every depth of a recursion. */
#define CALL_TREE_FRAMES_MAX 100

#define CALL_TREE_ROOT 0

struct call_node {
  guint method;
  guint parent;
  uint64_t calls;
};

struct call_tree {
  GArray *nodes;  /* of struct call_node; a parent comes before its children */
  guint32 *slots; /* of children by parent and method: nodes; 0: free */
  guint n_slots;  /* a power of 2 */
};

void call_tree_init (struct call_tree *tree);
void call_tree_clear (struct call_tree *tree);

/* So many calls of a method from the stack of this node; returns the node of the call. */
guint call_tree_enter (struct call_tree *tree, guint parent, guint method, uint64_t calls);

/* Adds the stacks that each method was called from to `sums`, by method: the innermost `frames` of
 * each. */
void call_tree_callers (const struct call_tree *tree, guint frames, struct traces *traces,
                        struct trace_sums *sums);

#endif
