/* call-tree.c -- open addressing: this is done for every call. */
#include "decoder/analyses/call-tree.h"
#include "config.h"

enum { FIRST_SLOTS = 1024 };

void
call_tree_init (struct call_tree *t)
{
  const struct call_node root = { 0 };
  *t = (struct call_tree){ .nodes = g_array_new (FALSE, FALSE, sizeof (struct call_node)),
                           .slots = g_new0 (guint32, FIRST_SLOTS),
                           .n_slots = FIRST_SLOTS };
  g_array_append_val (t->nodes, root);
}

void
call_tree_clear (struct call_tree *t)
{
  g_array_free (t->nodes, TRUE);
  g_free (t->slots);
}

static struct call_node *
node_at (const struct call_tree *t, guint node)
{
  return &g_array_index (t->nodes, struct call_node, node);
}

/* Where a child is, or the free slot for it. */
static guint32 *
find_slot (const struct call_tree *t, guint parent, guint method)
{
  const uint64_t both = (uint64_t) parent << 32 | method;
  guint at = (guint) ((both ^ both >> 29) * UINT64_C (0x9E3779B97F4A7C15) >> 32);
  for (;; at++) {
    guint32 *slot = &t->slots[at & (t->n_slots - 1)];
    const struct call_node *node = node_at (t, *slot);
    if (*slot == 0 || (node->parent == parent && node->method == method))
      return slot;
  }
}

static void
grow (struct call_tree *t)
{
  g_free (t->slots);
  t->n_slots *= 2;
  t->slots = g_new0 (guint32, t->n_slots);
  for (guint node = 1; node < t->nodes->len; node++)
    *find_slot (t, node_at (t, node)->parent, node_at (t, node)->method) = node;
}

guint
call_tree_enter (struct call_tree *t, guint parent, guint method, uint64_t calls)
{
  guint32 *slot = find_slot (t, parent, method);
  guint node = *slot;
  if (node == 0) {
    const struct call_node new = { .method = method, .parent = parent };
    node = *slot = t->nodes->len;
    g_array_append_val (t->nodes, new);
    if (t->nodes->len > t->n_slots / 2)
      grow (t);
  }
  node_at (t, node)->calls += calls;
  return node;
}

void
call_tree_callers (const struct call_tree *t, guint frames, struct traces *traces,
                   struct trace_sums *sums)
{
  guint methods[CALL_TREE_FRAMES_MAX];
  if (frames == 0 || frames > CALL_TREE_FRAMES_MAX)
    frames = CALL_TREE_FRAMES_MAX;
  for (guint i = 1; i < t->nodes->len; i++) {
    guint n = 0;
    for (guint up = node_at (t, i)->parent; up != CALL_TREE_ROOT && n < frames; n++) {
      methods[frames - 1 - n] = node_at (t, up)->method; /* outermost first */
      up = node_at (t, up)->parent;
    }
    trace_sums_add (sums, node_at (t, i)->method, traces_add (traces, &methods[frames - n], n),
                    node_at (t, i)->calls, 0);
  }
}
