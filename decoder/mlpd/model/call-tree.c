/* call-tree.c -- enters calls into the tree; adds up the callers of each method. */
#include "config.h"

#include "decoder/mlpd/model/call-tree.h"

void
call_tree_init (struct call_tree *t, enum call_times_kind kind)
{
  const struct call_node root = { 0 };
  t->nodes = g_array_new (FALSE, FALSE, sizeof (struct call_node));
  id_map_init (&t->children);
  g_array_append_val (t->nodes, root);
  t->kind = kind;
  t->times = NULL;
  if (kind != CALL_TIMES_NONE) {
    t->times = g_array_new (FALSE, TRUE, sizeof (struct call_times));
    g_array_set_size (t->times, 1);
  }
}

void
call_tree_clear (struct call_tree *t)
{
  g_array_free (t->nodes, TRUE);
  g_clear_pointer (&t->times, g_array_unref);
  id_map_clear (&t->children);
}

static struct call_node *
node_at (const struct call_tree *t, guint node)
{
  return &g_array_index (t->nodes, struct call_node, node);
}

guint
call_tree_enter (struct call_tree *t, guint parent, guint method, uint64_t calls)
{
  const guint node = 1 + id_map_number (&t->children, (uint64_t) parent << 32 | method);
  if (node == t->nodes->len) {
    const struct call_node new = { .method = method, .parent = parent };
    g_array_append_val (t->nodes, new);
    if (t->times != NULL)
      g_array_set_size (t->times, node + 1);
  }
  node_at (t, node)->calls += calls;
  return node;
}

guint
call_tree_find (const struct call_tree *t, guint parent, guint method)
{
  const guint number = id_map_find (&t->children, (uint64_t) parent << 32 | method);
  return number == ID_MAP_NONE ? CALL_TREE_ROOT : 1 + number;
}

void
call_tree_add_times (struct call_tree *t, guint node, const struct call_times *times)
{
  struct call_times *sum = call_tree_times (t, node);
  if (times->end == 0)
    return;
  if (t->kind == CALL_TIMES_CALLS) {
    const uint64_t total = sum->total_ns + times->total_ns;
    call_times_add (sum, times->start, times->end - times->start);
    sum->total_ns = total;
    return;
  }
  sum->start = sum->end == 0 ? times->start : MIN (sum->start, times->start);
  sum->end = MAX (sum->end, times->end);
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
