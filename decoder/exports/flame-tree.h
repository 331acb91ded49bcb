/* flame-tree.h -- stacks as a flame graph shows them: each with its callees; those too small to be
 * seen are one sum.
 */
#ifndef PROFLOG_FLAME_TREE_H
#define PROFLOG_FLAME_TREE_H

#include "decoder/exports/export-out.h"
#include "decoder/exports/export-stacks.h"

#define FLAME_ROOT 0

struct flame_node {
  uint32_t parent; /* comes before */
  uint32_t frame;
  uint64_t self;
  uint64_t total;
  uint64_t self_before; /* of the earlier log of a comparison */
  uint64_t before;      /* its total */
};

struct flame_tree {
  const struct export_stacks *stacks; /* not owned */
  GArray *nodes;                      /* of struct flame_node, the root first */
  uint64_t least;                     /* smaller nodes are summed; 0: there was none */
};

/* A frame, its sum over all stacks without itself below it, and with that. */
struct flame_frame {
  uint32_t frame;
  uint64_t self, total;
  uint64_t self_before, before; /* of the earlier log of a comparison */
};

/* Nodes of less than a share of the whole are summed in a node of their parent's; a share that
 * leaves `nodes_max` nodes or less besides these sums.  The stacks are to live longer. */
void flame_tree_init (struct flame_tree *tree, const struct export_stacks *stacks, uint32_t share,
                      guint nodes_max);
void flame_tree_clear (struct flame_tree *tree);

/* The name of a node's frame; valid as long as the stacks. */
const char *flame_tree_name (const struct flame_tree *tree, uint32_t frame);

/* All frames, those with the most self first, or of a comparison those that changed most by
 * themselves (of struct flame_frame; transfer full). */
GArray *flame_tree_frames (const struct export_stacks *stacks);

/* Appends an object of JSON, which may stand in a page: "unit", and columns, in which the root is
 * not: "frames" (names) with their lists (name-lists.h), and by node "parents", "names" (places in
 * "frames"), "selves" and in a comparison "before".  "has_threads": the outermost frames are
 * threads. */
void flame_data_append (const struct flame_tree *tree, struct export_out *out);

/* The same into memory. */
void flame_data_put (const struct flame_tree *tree, GString *json);

/* Appends "new", "gone", "=", "+20 %" or "-20 %". */
void flame_change_append_text (GString *bytes, const struct export_stacks *stacks, uint64_t now,
                               uint64_t before);

/* Appends a colour of CSS: red is more, blue less, both paler the smaller the change; yellow new,
 * grey the same.  Dark text is readable on all of them. */
void flame_change_append_colour (GString *bytes, const struct export_stacks *stacks, uint64_t now,
                                 uint64_t before);

#endif
