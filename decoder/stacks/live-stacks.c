/* live-stacks.c -- adds the times of hits to a tree of their stacks. */
#include "config.h"

#include "decoder/stacks/live-stacks.h"

void
live_stacks_init (struct live_stacks *s)
{
  *s = (struct live_stacks){ .frames = g_array_new (FALSE, FALSE, sizeof (guint)) };
  call_tree_init (&s->tree, CALL_TIMES_NONE);
}

void
live_stacks_clear (struct live_stacks *s)
{
  call_tree_clear (&s->tree);
  g_array_unref (s->frames);
}

void
live_stacks_hit (struct live_stacks *s, struct symbols *symbols, const struct recording *recording,
                 const struct mlpd_sample_hit *hit)
{
  static const struct mlpd_string name = { RECORDING_NAME, sizeof RECORDING_NAME - 1 };
  size_t wrappers;
  const bool is_recording = recording_has_hit (recording, hit, &wrappers);
  g_array_set_size (s->frames, 0);
  if (is_recording) {
    const guint frame = symbols_announce (symbols, SYMBOL_METHOD, RECORDING_METHOD, name);
    g_array_append_val (s->frames, frame);
  }
  for (size_t i = wrappers; i < hit->frames.count && s->frames->len < CALL_TREE_FRAMES_MAX; i++) {
    const guint frame = symbols_use (symbols, SYMBOL_METHOD, hit->frames.items[i].method);
    g_array_append_val (s->frames, frame);
  }
}

/* A full tree still has the hits in the stacks that it knows. */
static bool
is_known (const struct live_stacks *s)
{
  guint node = CALL_TREE_ROOT;
  for (guint i = s->frames->len; i-- > 0;) {
    node = call_tree_find (&s->tree, node, g_array_index (s->frames, guint, i));
    if (node == CALL_TREE_ROOT)
      return false;
  }
  return true;
}

void
live_stacks_add (struct live_stacks *s, uint64_t ns)
{
  guint node = CALL_TREE_ROOT;
  if (s->frames->len == 0)
    s->bare_ns += ns;
  else if (s->tree.nodes->len >= LIVE_STACKS_MAX && !is_known (s))
    s->others_ns += ns;
  else
    for (guint i = s->frames->len; i-- > 0;)
      node = call_tree_enter (&s->tree, node, g_array_index (s->frames, guint, i), ns);
}
