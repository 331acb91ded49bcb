/* flame-tree.c -- sums stacks with those that go on, and the small ones together; writes the
 * columns of a flame graph for its script, and changes of costs as words and colours.
 */
#include "config.h"

#include "decoder/exports/flame-tree.h"

#include "decoder/core/chance.h"
#include "decoder/exports/export-out.h"
#include "decoder/output/emitter-values.h"
#include "decoder/output/html.h"
#include "decoder/output/name-lists.h"
#include <math.h>
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
frame_change (const struct flame_frame *f)
{
  return f->self > f->self_before ? f->self - f->self_before : f->self_before - f->self;
}

static gint
compare_frames (gconstpointer a, gconstpointer b, gpointer is_comparison)
{
  const struct flame_frame *x = a, *y = b;
  if (is_comparison != NULL && frame_change (x) != frame_change (y))
    return frame_change (x) > frame_change (y) ? -1 : 1;
  if (x->self != y->self)
    return x->self > y->self ? -1 : 1;
  return x->total != y->total ? (x->total > y->total ? -1 : 1)
                              : (x->frame > y->frame) - (x->frame < y->frame);
}

/* A walk over all nodes but the root, depth first. */
struct descent {
  const GArray *nodes;
  guint *callee; /* by node: the last one below it */
  guint *before; /* by node: the one before it with the same caller; 0: none */
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

/* ---- the colours of changes ---- */

/* Of the larger cost: a smaller change is none. */
#define SHARE_SAME 0.005

/* The change, of the larger of both: from -1 to 1. */
static double
share_of_change (uint64_t now, uint64_t before)
{
  const double change = (double) now - (double) before;
  return change / (double) MAX (MAX (now, before), 1);
}

static bool
is_same (uint64_t now, uint64_t before)
{
  const double share = share_of_change (now, before);
  return share > -SHARE_SAME && share < SHARE_SAME;
}

/* Both are estimates from samples, and two of one cost would differ as much: each sum has the
 * variance of as many samples. */
static bool
is_chance (const struct export_stacks *stacks, uint64_t now, uint64_t before)
{
  const double change = (double) now - (double) before;
  const double variance = (double) now * stacks->sample + (double) before * stacks->sample_before;
  return stacks->sample != 0 && stacks->sample_before != 0
         && fabs (change) <= CHANCE_95 * sqrt (variance);
}

void
flame_change_append_text (GString *bytes, const struct export_stacks *stacks, uint64_t now,
                          uint64_t before)
{
  const bool explained = !is_same (now, before) && is_chance (stacks, now, before);
  g_string_append (bytes, explained ? "(" : "");
  if (is_same (now, before))
    g_string_append_c (bytes, '=');
  else if (before == 0)
    g_string_append (bytes, "new");
  else if (now == 0)
    g_string_append (bytes, "gone");
  else
    g_string_append_printf (bytes, "%+.0f %%",
                            100 * ((double) now - (double) before) / (double) before);
  g_string_append (bytes, explained ? ")" : "");
}

void
flame_change_append_colour (GString *bytes, const struct export_stacks *stacks, uint64_t now,
                            uint64_t before)
{
  const double share = share_of_change (now, before);
  if (is_same (now, before) || is_chance (stacks, now, before))
    g_string_append (bytes, "hsl(215,13%,81%)");
  else if (before == 0)
    g_string_append (bytes, "hsl(48,95%,62%)");
  else
    g_string_append_printf (bytes, "hsl(%d,85%%,%.0f%%)", share > 0 ? 4 : 215,
                            90 - 24 * (share > 0 ? share : -share));
}

/* ---- the data of the page ---- */

enum column { PARENT, FRAME, SELF, SELF_BEFORE };

static void
put_column (const struct flame_tree *t, const char *name, enum column column,
            struct export_out *out)
{
  g_string_append_printf (out->bytes, ",\n\"%s\":[", name);
  for (guint i = 1; i < t->nodes->len && !out->failed; i++) {
    const struct flame_node *node = &g_array_index (t->nodes, struct flame_node, i);
    g_string_append (out->bytes, i > 1 ? "," : "");
    emitter_append_decimal (out->bytes, column == PARENT  ? node->parent
                                        : column == FRAME ? node->frame
                                        : column == SELF  ? node->self
                                                          : node->self_before);
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
}

void
flame_data_append (const struct flame_tree *t, struct export_out *out)
{
  g_string_append_printf (out->bytes, "{\"unit\":\"%s\",\n%s\"frames\":[", t->stacks->unit,
                          t->stacks->is_by_thread ? "\"has_threads\":true,\n" : "");
  const guint frames = t->stacks->frames->len + (t->least != 0);
  struct name_lists lists;
  name_lists_init (&lists);
  for (guint i = 0; i < frames && !out->failed; i++) {
    g_string_append (out->bytes, i > 0 ? ",\n" : "");
    html_append_json_string (out->bytes, flame_tree_name (t, i));
    name_lists_add (&lists, i, flame_tree_name (t, i));
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
  name_lists_append (&lists, out->bytes);
  name_lists_clear (&lists);
  if (t->stacks->sample != 0)
    g_string_append_printf (out->bytes, ",\n\"sample\":[%.3f,%.3f]", t->stacks->sample,
                            t->stacks->sample_before);
  put_column (t, "parents", PARENT, out);
  put_column (t, "names", FRAME, out);
  put_column (t, "selves", SELF, out);
  if (t->stacks->is_comparison)
    put_column (t, "before", SELF_BEFORE, out);
  g_string_append_c (out->bytes, '}');
}

static bool
collect (void *data, const GString *bytes)
{
  g_string_append_len (data, bytes->str, (gssize) bytes->len);
  return true;
}

void
flame_data_put (const struct flame_tree *t, GString *json)
{
  struct export_out out = { .bytes = g_string_new (NULL), .put = collect, .data = json };
  flame_data_append (t, &out);
  export_flush (&out);
  g_string_free (out.bytes, TRUE);
}
