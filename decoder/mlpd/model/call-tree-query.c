/* call-tree-query.c -- inverts call trees, and finds callers and callees. */
#include "config.h"

#include "decoder/mlpd/model/call-tree-query.h"
#include <stdlib.h>

static const struct call_node *
node_at (const struct call_tree *t, guint node)
{
  return &g_array_index (t->nodes, struct call_node, node);
}

uint64_t *
call_tree_self (const struct call_tree *t)
{
  uint64_t *self = g_new0 (uint64_t, t->nodes->len);
  /* A child comes after its parent, and gets the rest: times may have gone back. */
  for (guint i = 1; i < t->nodes->len; i++) {
    const guint parent = node_at (t, i)->parent;
    const uint64_t weight = call_tree_weight (t, i);
    self[i] = weight;
    if (parent != CALL_TREE_ROOT)
      self[parent] -= MIN (self[parent], weight);
  }
  return self;
}

/* The sums of a node on their way to another tree. */
struct node_sums {
  uint64_t calls;
  struct call_times times; /* of zeros: the tree has none */
};

static struct node_sums
sums_of (const struct call_tree *t, guint node)
{
  struct node_sums sums = { .calls = node_at (t, node)->calls };
  if (t->times != NULL)
    sums.times = *call_tree_times (t, node);
  return sums;
}

static guint
enter_sums (struct call_tree *to, guint parent, guint method, const struct node_sums *sums)
{
  const guint node = call_tree_enter (to, parent, method, sums->calls);
  if (to->times != NULL)
    call_tree_add_times (to, node, &sums->times);
  return node;
}

/* ---- from callees to callers ---- */

/* A node whose sums go to itself and its callers: to this caller next, which follows that place in
 * the other tree. */
struct climber {
  guint node;
  guint caller;
  guint place;
};

/* Climbers, and where to: they all go up one frame at a time, so that a place has its whole weight
 * before any of them goes on from it. */
struct climb {
  const struct call_tree *from;
  struct call_tree *to;
  GArray *climbers;      /* of struct climber */
  const uint64_t *self;  /* weights that the nodes have in place of theirs; NULL: none */
  const uint64_t *inner; /* calls that the nodes have besides theirs; NULL: none */
  guint limit;           /* places of the highest weights that are needed; 0: all */
};

static void
add_climber (struct climb *c, guint node)
{
  const struct climber climber = { .node = node, .caller = node, .place = CALL_TREE_ROOT };
  g_array_append_val (c->climbers, climber);
}

static int
compare_weights (const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x < y) - (x > y);
}

/* The weight that a place needs to be among the highest so far.  The places below one have no more
 * than that. */
static uint64_t
least_weight (const struct climb *c)
{
  const guint n = c->to->nodes->len;
  if (c->limit == 0 || n <= c->limit)
    return 0;
  uint64_t *weights = g_new (uint64_t, n);
  for (guint i = 1; i < n; i++)
    weights[i - 1] = call_tree_weight (c->to, i);
  qsort (weights, n - 1, sizeof *weights, compare_weights);
  const uint64_t least = weights[c->limit - 1];
  g_free (weights);
  return least;
}

static void
climb_one (const struct climb *c, struct climber *climber)
{
  struct node_sums sums = sums_of (c->from, climber->node);
  if (c->self != NULL && c->from->kind == CALL_TIMES_CALLS)
    sums.times.total_ns = c->self[climber->node];
  else if (c->self != NULL)
    sums.calls = c->self[climber->node];
  if (c->inner != NULL)
    sums.calls += c->inner[climber->node];
  const struct call_node *caller = node_at (c->from, climber->caller);
  climber->place = enter_sums (c->to, climber->place, caller->method, &sums);
  climber->caller = caller->parent;
}

/* Frames that are not distinguished end the paths. */
static void
climb (const struct climb *c)
{
  for (guint frames = 0; c->climbers->len != 0 && frames < CALL_TREE_FRAMES_MAX; frames++) {
    const uint64_t least = least_weight (c);
    guint n = 0;
    for (guint i = 0; i < c->climbers->len; i++) {
      struct climber climber = g_array_index (c->climbers, struct climber, i);
      if (climber.caller == CALL_TREE_ROOT
          || (climber.place != CALL_TREE_ROOT && call_tree_weight (c->to, climber.place) < least))
        continue;
      climb_one (c, &climber);
      g_array_index (c->climbers, struct climber, n++) = climber;
    }
    g_array_set_size (c->climbers, n);
  }
}

void
call_tree_invert (const struct call_tree *t, guint limit, struct call_tree *to)
{
  uint64_t *self = call_tree_self (t);
  struct climb c = { .from = t,
                     .to = to,
                     .climbers = g_array_new (FALSE, FALSE, sizeof (struct climber)),
                     .self = self,
                     .limit = limit };
  for (guint i = 1; i < t->nodes->len; i++)
    if (self[i] != 0 || (t->kind == CALL_TIMES_CALLS && node_at (t, i)->calls != 0))
      add_climber (&c, i);
  climb (&c);
  g_array_unref (c.climbers);
  g_free (self);
}

static bool
is_wanted (const GByteArray *wanted, guint method)
{
  return method < wanted->len && wanted->data[method] != 0;
}

/* Adds a node of a method that is wanted, unless it is below another one.  A call in a recursion
 * counts with the outermost one, which has its time already.  The hits of a node are in those of
 * the outermost one, too. */
static void
add_wanted (struct climb *c, guint node, guint outermost, uint64_t *inner)
{
  const struct call_node *n = node_at (c->from, node);
  if (outermost == CALL_TREE_ROOT)
    add_climber (c, node);
  else if (c->from->kind == CALL_TIMES_CALLS && node_at (c->from, outermost)->method == n->method)
    inner[outermost] += n->calls;
}

void
call_tree_find_callers (const struct call_tree *t, const GByteArray *wanted, guint limit,
                        struct call_tree *to)
{
  uint64_t *inner = g_new0 (uint64_t, t->nodes->len);
  struct climb c = { .from = t,
                     .to = to,
                     .climbers = g_array_new (FALSE, FALSE, sizeof (struct climber)),
                     .inner = inner,
                     .limit = limit };
  /* The outermost of a node and its callers that is wanted.  A parent comes before its children. */
  guint *outermost = g_new0 (guint, t->nodes->len);
  for (guint i = 1; i < t->nodes->len; i++) {
    const struct call_node *node = node_at (t, i);
    const bool is_one = is_wanted (wanted, node->method);
    outermost[i] = outermost[node->parent];
    if (is_one)
      add_wanted (&c, i, outermost[i], inner);
    if (is_one && outermost[i] == CALL_TREE_ROOT)
      outermost[i] = i;
  }
  climb (&c);
  g_array_unref (c.climbers);
  g_free (outermost);
  g_free (inner);
}

void
call_tree_find_callees (const struct call_tree *t, const GByteArray *wanted, struct call_tree *to)
{
  /* A parent comes before its children.  Nodes that are not in the new tree are at its root. */
  guint *places = g_new0 (guint, t->nodes->len);
  for (guint i = 1; i < t->nodes->len; i++) {
    const struct call_node *node = node_at (t, i);
    const struct node_sums sums = sums_of (t, i);
    if (places[node->parent] != CALL_TREE_ROOT || is_wanted (wanted, node->method))
      places[i] = enter_sums (to, places[node->parent], node->method, &sums);
  }
  g_free (places);
}

/* ---- rows ---- */

struct ranked_node {
  guint node;
  guint depth;
  uint64_t weight;
};

struct ranking {
  const struct call_tree *tree;
  call_tree_order *order;
  const void *data;
};

/* The largest first.  Of equal ones those that are nearer to the root, so a parent comes before its
 * children, and then by the methods where their stacks part. */
static int
compare_nodes (const void *a, const void *b, void *data)
{
  const struct ranked_node *x = a, *y = b;
  const struct ranking *r = data;
  int order = 0;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  for (guint i = x->node, j = y->node; i != j;
       i = node_at (r->tree, i)->parent, j = node_at (r->tree, j)->parent)
    order = r->order (r->data, node_at (r->tree, i)->method, node_at (r->tree, j)->method);
  return order;
}

/* All nodes but the root (transfer full, of struct ranked_node). */
static GArray *
rank_nodes (struct ranking *r)
{
  const struct call_tree *t = r->tree;
  guint *depths = g_new0 (guint, t->nodes->len);
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (struct ranked_node));
  for (guint i = 1; i < t->nodes->len; i++) {
    depths[i] = depths[node_at (t, i)->parent] + 1;
    const struct ranked_node node
        = { .node = i, .depth = depths[i], .weight = call_tree_weight (t, i) };
    g_array_append_val (nodes, node);
  }
  g_array_sort_with_data (nodes, compare_nodes, r);
  g_free (depths);
  return nodes;
}

/* Links of the nodes that are shown; 0: none. */
struct links {
  guint *first, *next;
};

/* The next node in the order of the tree that is not below this one; 0: there is none. */
static guint
next_above (const struct call_tree *t, const struct links *links, guint node, guint *depth)
{
  while (node != CALL_TREE_ROOT && links->next[node] == 0) {
    node = node_at (t, node)->parent;
    --*depth;
  }
  return node != CALL_TREE_ROOT ? links->next[node] : 0;
}

/* Adds the rows of all nodes that are linked: those below each node after it.  Stacks may be deep.
 */
static void
add_rows (const struct call_tree *t, const struct links *links, GArray *rows)
{
  GArray *steps = g_array_new (FALSE, TRUE, sizeof (guint)); /* by depth */
  guint depth = 0, node = links->first[CALL_TREE_ROOT];
  g_array_set_size (steps, 1);
  while (node != 0) {
    const guint step = g_array_index (steps, guint, depth), first = links->first[node];
    const struct call_tree_row row = { .node = node, .depth = depth, .steps = step };
    g_array_append_val (rows, row);
    if (first != 0) {
      const bool branches = links->next[first] != 0 || depth == 0;
      g_array_set_size (steps, ++depth + 1);
      g_array_index (steps, guint, depth) = step + branches;
      node = first;
    } else {
      node = next_above (t, links, node, &depth);
    }
  }
  g_array_unref (steps);
}

GArray *
call_tree_rows (const struct call_tree *t, guint limit, call_tree_order *order, const void *data)
{
  struct ranking ranking = { .tree = t, .order = order, .data = data };
  GArray *nodes = rank_nodes (&ranking);
  const struct links links
      = { .first = g_new0 (guint, t->nodes->len), .next = g_new0 (guint, t->nodes->len) };
  if (limit != 0 && nodes->len > limit)
    g_array_set_size (nodes, limit);
  /* From the smallest on, so that the largest child is the first in the end. */
  for (guint i = nodes->len; i-- > 0;) {
    const guint node = g_array_index (nodes, struct ranked_node, i).node,
                parent = node_at (t, node)->parent;
    links.next[node] = links.first[parent];
    links.first[parent] = node;
  }
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (struct call_tree_row));
  add_rows (t, &links, rows);
  g_array_unref (nodes);
  g_free (links.first);
  g_free (links.next);
  return rows;
}
