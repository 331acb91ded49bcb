/* call-tree.h -- callers and callees: each stack that calls were made at is a path from the root,
 * which is no call.
 */
#ifndef PROFLOG_CALL_TREE_H
#define PROFLOG_CALL_TREE_H

#include "decoder/mlpd/model/traces.h"

/* Frames of a stack that are distinguished: more would be a table of every depth of a recursion. */
#define CALL_TREE_FRAMES_MAX 100

#define CALL_TREE_ROOT 0

struct call_node {
  guint method;
  guint parent;
  uint64_t calls; /* or hits, with those of its callees */
};

/* The times of a node. */
struct call_times {
  uint64_t total_ns; /* of calls, with their callees */
  uint64_t start;    /* of the longest call, and of equal ones of the earliest; of the first hit */
  uint64_t end;      /* of that call; of the last hit; 0: there is none yet */
};

/* The times that the nodes of a tree have, if any. */
enum call_times_kind { CALL_TIMES_NONE, CALL_TIMES_CALLS, CALL_TIMES_HITS };

struct call_tree {
  GArray *nodes;          /* of struct call_node; a parent comes before its children */
  struct id_map children; /* nodes - 1, by parent and method */
  enum call_times_kind kind;
  GArray *times; /* of struct call_times, by node; NULL: of no kind */
};

void call_tree_init (struct call_tree *tree, enum call_times_kind kind);
void call_tree_clear (struct call_tree *tree);

/* The times of a node of a tree that has some. */
static inline struct call_times *
call_tree_times (const struct call_tree *tree, guint node)
{
  return &g_array_index (tree->times, struct call_times, node);
}

/* One more call.  Whatever the order of the calls, the sums are the same. */
static inline __attribute__ ((always_inline)) void
call_times_add (struct call_times *times, uint64_t start, uint64_t ns)
{
  const uint64_t longest = times->end - times->start;
  times->total_ns += ns;
  if (G_UNLIKELY (ns >= longest) && (ns > longest || times->end == 0 || start < times->start)) {
    times->start = start;
    times->end = start + ns;
  }
}

/* Adds the times of the same calls or hits elsewhere to those of a node. */
void call_tree_add_times (struct call_tree *tree, guint node, const struct call_times *times);

/* The time of calls, or the number of hits: the count by which nodes are compared. */
static inline uint64_t
call_tree_weight (const struct call_tree *tree, guint node)
{
  return tree->kind == CALL_TIMES_CALLS ? call_tree_times (tree, node)->total_ns
                                        : g_array_index (tree->nodes, struct call_node, node).calls;
}

/* This many calls of a method from the stack of this node; returns the node of the call. */
guint call_tree_enter (struct call_tree *tree, guint parent, guint method, uint64_t calls);

/* The node of a method below another; CALL_TREE_ROOT: there is none. */
guint call_tree_find (const struct call_tree *tree, guint parent, guint method);

/* Adds the stacks that each method was called from to `sums`, by method: the innermost `frames` of
 * each. */
void call_tree_callers (const struct call_tree *tree, guint frames, struct traces *traces,
                        struct trace_sums *sums);

#endif
