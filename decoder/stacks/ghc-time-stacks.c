/* ghc-time-stacks.c -- the time profile of an eventlog as stacks. */
#include "config.h"

#include "decoder/stacks/ghc-time-stacks.h"

static void
name_costs (struct export_stacks *stacks, const struct ghc_time_profile *p, bool with_idle)
{
  stacks->cost = p->has_call_stacks ? "Samples of threads that work or wait for an MVar"
                 : with_idle        ? "Time of the time profile, working and idle"
                                    : "Time of the time profile";
  stacks->unit = p->interval != 0 ? "ns" : "hits";
  stacks->sample = p->interval != 0 ? (double) p->interval : 1;
  stacks->weighed = p->interval != 0 ? "cpu" : NULL;
}

/* A call stack that has none. */
#define NO_FRAMES "(no frames)"

/* The outermost frame of cost centres is MAIN, that of call stacks is theirs. */
static uint32_t
add_node (struct export_stacks *stacks, const struct ghc_time_profile *p,
          const struct ghc_time_node *node, uint32_t parent, uint64_t hits)
{
  const bool is_root = node->depth == 0;
  if (is_root && p->has_call_stacks && hits == 0)
    return EXPORT_STACKS_ROOT;
  g_autofree char *name = !is_root             ? ghc_time_profile_name (p, node->frame)
                          : p->has_call_stacks ? g_strdup (NO_FRAMES)
                                               : g_strdup ("MAIN");
  const uint32_t place = export_stacks_add (stacks, parent, export_stacks_frame (stacks, name),
                                            hits * MAX (p->interval, 1));
  export_stacks_count (stacks, place, hits);
  return is_root && p->has_call_stacks ? EXPORT_STACKS_ROOT : place;
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const struct ghc_time_sample *x = a, *y = b;
  if (x->cap != y->cap)
    return x->cap < y->cap ? -1 : 1;
  return (x->time > y->time) - (x->time < y->time);
}

/* Samples in order of time, of each capability; `places`: of the nodes. */
static void
add_order (struct export_stacks *stacks, const struct ghc_time_profile *p, const GArray *places,
           bool with_idle)
{
  const uint64_t weight = MAX (p->interval, 1);
  const bool has_bare
      = p->has_call_stacks && g_array_index (p->nodes, struct ghc_time_node, 0).self != 0;
  const uint32_t bare = has_bare ? export_stacks_add (stacks, EXPORT_STACKS_ROOT,
                                                      export_stacks_frame (stacks, NO_FRAMES), 0)
                                 : g_array_index (places, uint32_t, 0);
  stacks->order = g_array_new (FALSE, FALSE, sizeof (struct export_sample));
  g_array_sort (p->order, compare_samples);
  for (guint i = 0; i < p->order->len; i++) {
    const struct ghc_time_sample *sample = &g_array_index (p->order, struct ghc_time_sample, i);
    const uint32_t frame = g_array_index (p->nodes, struct ghc_time_node, sample->node).frame;
    if (sample->node != 0 && !with_idle && ghc_time_profile_is_idle (p, frame))
      continue;
    const struct export_sample next
        = { sample->cap, sample->node != 0 ? g_array_index (places, uint32_t, sample->node) : bare,
            weight };
    struct export_sample *last
        = stacks->order->len != 0
              ? &g_array_index (stacks->order, struct export_sample, stacks->order->len - 1)
              : NULL;
    if (last != NULL && last->track == next.track && last->node == next.node)
      last->weight += weight;
    else
      g_array_append_val (stacks->order, next);
  }
}

void
ghc_time_stacks_add (struct export_stacks *stacks, const struct ghc_time_profile *p, bool with_idle)
{
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (uint32_t), p->nodes->len);
  name_costs (stacks, p, with_idle);
  for (guint i = 0; i < p->nodes->len; i++) {
    const struct ghc_time_node *node = &g_array_index (p->nodes, struct ghc_time_node, i);
    const uint32_t parent
        = i == 0 ? EXPORT_STACKS_ROOT : g_array_index (places, uint32_t, node->parent);
    const uint64_t hits
        = i == 0 || with_idle || !ghc_time_profile_is_idle (p, node->frame) ? node->self : 0;
    const uint32_t place = add_node (stacks, p, node, parent, hits);
    g_array_append_val (places, place);
  }
  if (p->order != NULL)
    add_order (stacks, p, places, with_idle);
  g_array_unref (places);
}
