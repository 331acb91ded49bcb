/* flame-tree.c -- sums stacks with those that go on, and the small ones together. */
#include "config.h"

#include "decoder/exports/flame-tree.h"

#include <string.h>

const char *
flame_tree_name (const struct flame_tree *tree, uint32_t frame)
{
  const GPtrArray *frames = tree->stacks->frames;
  return frame < frames->len ? frames->pdata[frame] : "[smaller stacks]";
}

static struct flame_node *
node_at (const GArray *nodes, guint i)
{
  return &g_array_index (nodes, struct flame_node, i);
}

/* ---- sums ---- */

static GArray *
copy_nodes (const struct export_stacks *stacks)
{
  GArray *nodes = g_array_sized_new (FALSE, TRUE, sizeof (struct flame_node), stacks->nodes->len);
  for (guint i = 0; i < stacks->nodes->len; i++) {
    const struct export_node *n = &g_array_index (stacks->nodes, struct export_node, i);
    const struct flame_node node
        = { .parent = n->parent, .frame = n->frame, .self = n->weight, .self_before = n->before };
    g_array_append_val (nodes, node);
  }
  return nodes;
}

static void
sum_nodes (GArray *nodes)
{
  for (guint i = nodes->len; i-- > 0;) {
    struct flame_node *node = node_at (nodes, i);
    node->total += node->self;
    node->before += node->self_before;
    if (i == FLAME_ROOT)
      continue;
    node_at (nodes, node->parent)->total += node->total;
    node_at (nodes, node->parent)->before += node->before;
  }
}

/* ---- small nodes ---- */

static guint
count_from (const GArray *nodes, uint64_t least)
{
  guint n = 0;
  for (guint i = 0; i < nodes->len; i++)
    n += node_at (nodes, i)->total >= least;
  return n;
}

/* The nodes of at least that much, each with one for its smaller callees.  Where a node is small,
 * so are those below it. */
static GArray *
sum_small (const GArray *nodes, uint64_t least, uint32_t frame)
{
  GArray *kept = g_array_new (FALSE, TRUE, sizeof (struct flame_node));
  guint *places = g_new0 (guint, nodes->len), *sums = g_new0 (guint, nodes->len);
  for (guint i = 0; i < nodes->len; i++) {
    struct flame_node node = *node_at (nodes, i);
    const guint parent = node.parent;
    const bool is_small = i != FLAME_ROOT && node.total < least;
    if (is_small && (node_at (nodes, parent)->total < least && parent != FLAME_ROOT))
      continue;
    if (is_small && sums[parent] != 0) {
      struct flame_node *sum = node_at (kept, sums[parent]);
      sum->self += node.total;
      sum->total += node.total;
      sum->self_before += node.before;
      sum->before += node.before;
      continue;
    }
    if (is_small) {
      sums[parent] = kept->len;
      node.frame = frame;
      node.self = node.total;
      node.self_before = node.before;
    }
    places[i] = kept->len;
    node.parent = places[parent];
    g_array_append_val (kept, node);
  }
  g_free (places);
  g_free (sums);
  return kept;
}

void
flame_tree_init (struct flame_tree *tree, const struct export_stacks *stacks, uint32_t share,
                 guint nodes_max)
{
  GArray *nodes = copy_nodes (stacks);
  sum_nodes (nodes);
  uint64_t least = stacks->total / share;
  while (count_from (nodes, least) > nodes_max)
    least = MAX (least, 1) * 2;
  *tree = (struct flame_tree){ .stacks = stacks, .nodes = nodes };
  if (count_from (nodes, least) == nodes->len)
    return;
  tree->least = least;
  tree->nodes = sum_small (nodes, least, stacks->frames->len);
  g_array_unref (nodes);
}

void
flame_tree_clear (struct flame_tree *tree)
{
  g_array_unref (tree->nodes);
}

/* ---- frames ---- */

static uint64_t
change_of (const struct flame_frame *f)
{
  return f->self > f->self_before ? f->self - f->self_before : f->self_before - f->self;
}

static gint
compare_frames (gconstpointer a, gconstpointer b, gpointer is_comparison)
{
  const struct flame_frame *x = a, *y = b;
  if (is_comparison != NULL && change_of (x) != change_of (y))
    return change_of (x) > change_of (y) ? -1 : 1;
  if (x->self != y->self)
    return x->self > y->self ? -1 : 1;
  return x->total != y->total ? (x->total > y->total ? -1 : 1)
                              : (x->frame > y->frame) - (x->frame < y->frame);
}

/* A walk over all nodes but the root, depth first. */
struct descent {
  const GArray *nodes;
  guint *callee; /* by node: the last one below it ... */
  guint *before; /* ... and the one before a node with the same caller; 0: none */
  guint *open;   /* by frame: nodes from the root to the one that is visited */
};

static void
descent_init (struct descent *d, const GArray *nodes, guint n_frames)
{
  *d = (struct descent){ .nodes = nodes,
                         .callee = g_new0 (guint, nodes->len),
                         .before = g_new0 (guint, nodes->len),
                         .open = g_new0 (guint, n_frames) };
  for (guint i = 1; i < nodes->len; i++) {
    const guint parent = node_at (nodes, i)->parent;
    d->before[i] = d->callee[parent];
    d->callee[parent] = i;
  }
}

static void
descent_clear (struct descent *d)
{
  g_free (d->callee);
  g_free (d->before);
  g_free (d->open);
}

/* The node after this one, depth first; 0: there is none. */
static guint
descent_next (struct descent *d, guint node)
{
  if (d->callee[node] != 0)
    return d->callee[node];
  for (; node != FLAME_ROOT; node = node_at (d->nodes, node)->parent) {
    d->open[node_at (d->nodes, node)->frame]--;
    if (d->before[node] != 0)
      return d->before[node];
  }
  return 0;
}

GArray *
flame_tree_frames (const struct export_stacks *stacks)
{
  GArray *frames = g_array_new (FALSE, TRUE, sizeof (struct flame_frame));
  GArray *nodes = copy_nodes (stacks);
  sum_nodes (nodes);
  g_array_set_size (frames, stacks->frames->len);
  for (guint i = 0; i < frames->len; i++)
    g_array_index (frames, struct flame_frame, i).frame = i;
  struct descent descent;
  descent_init (&descent, nodes, frames->len);
  for (guint i = FLAME_ROOT; (i = descent_next (&descent, i)) != 0;) {
    const struct flame_node *node = node_at (nodes, i);
    struct flame_frame *f = &g_array_index (frames, struct flame_frame, node->frame);
    f->self += node->self;
    f->self_before += node->self_before;
    if (descent.open[node->frame]++ != 0)
      continue; /* it stands above the node, too */
    f->total += node->total;
    f->before += node->before;
  }
  descent_clear (&descent);
  g_array_sort_with_data (frames, compare_frames, stacks->is_comparison ? nodes : NULL);
  g_array_unref (nodes);
  return frames;
}
