/* ghc-time-profile.c -- counts the ticks of each stack of cost centres. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-time-profile.h"

void
ghc_time_profile_init (struct ghc_time_profile *p, uint64_t from, uint64_t to)
{
  const struct ghc_time_node root = { 0 };
  *p = (struct ghc_time_profile){ .from = from, .to = to };
  ghc_cost_centres_init (&p->centres);
  p->caps = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  p->nodes = g_array_new (FALSE, FALSE, sizeof (struct ghc_time_node));
  p->places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_array_append_val (p->nodes, root);
}

void
ghc_time_profile_clear (struct ghc_time_profile *p)
{
  ghc_cost_centres_clear (&p->centres);
  g_hash_table_unref (p->caps);
  g_hash_table_unref (p->places);
  g_array_unref (p->nodes);
}

static struct ghc_time_node *
node_at (const struct ghc_time_profile *p, uint32_t place)
{
  return &g_array_index (p->nodes, struct ghc_time_node, place);
}

/* The place of the node below this one; 0 if there is none and there are too many. */
static uint32_t
step_down (struct ghc_time_profile *p, uint32_t parent, uint32_t centre)
{
  const uint64_t key = (uint64_t) parent << 32 | centre;
  const uint32_t found = GPOINTER_TO_UINT (g_hash_table_lookup (p->places, &key));
  const struct ghc_time_node node
      = { .parent = parent, .depth = node_at (p, parent)->depth + 1, .centre = centre };
  if (found != 0 || p->nodes->len >= GHC_TIME_NODES_MAX)
    return found;
  g_hash_table_insert (p->places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (p->nodes->len));
  g_array_append_val (p->nodes, node);
  return p->nodes->len - 1;
}

static void
add_sample (struct ghc_time_profile *p, const struct ghc_prof_sample_cost_centre *event)
{
  uint32_t at = 0;
  uint64_t *of_cap = g_hash_table_lookup (p->caps, GUINT_TO_POINTER (event->cap));
  if (of_cap == NULL) {
    of_cap = g_new0 (uint64_t, 1);
    g_hash_table_insert (p->caps, GUINT_TO_POINTER (event->cap), of_cap);
  }
  ++*of_cap;
  p->samples++;
  for (size_t i = event->stack.count; i > 0; i--) {
    const uint32_t below = step_down (p, at, event->stack.items[i - 1]);
    if (below == 0) {
      p->cut++;
      break;
    }
    at = below;
  }
  node_at (p, at)->self++;
}

void
ghc_time_profile_item (struct ghc_time_profile *p, const struct ghc_item *item)
{
  if (item->kind == GHC_HEAP_PROF_COST_CENTRE)
    ghc_cost_centres_add (&p->centres, &item->payload->heap_prof_cost_centre);
  else if (item->kind == GHC_PROF_BEGIN)
    p->interval = item->payload->prof_begin.tick_interval;
  else if (item->kind == GHC_PROF_SAMPLE_COST_CENTRE && item->time >= p->from && item->time < p->to
           && (p->selection == NULL
               || selection_has_cap (p->selection, item->payload->prof_sample_cost_centre.cap)))
    add_sample (p, &item->payload->prof_sample_cost_centre);
}

void
ghc_time_profile_finish (struct ghc_time_profile *p)
{
  for (guint i = p->nodes->len; i > 0; i--) {
    struct ghc_time_node *node = node_at (p, i - 1);
    node->total += node->self;
    if (i > 1)
      node_at (p, node->parent)->total += node->total;
  }
}

/* Is a node of the same cost centre above this one? */
static bool
is_within_itself (const struct ghc_time_profile *p, const struct ghc_time_node *node)
{
  for (uint32_t at = node->parent; at != 0; at = node_at (p, at)->parent)
    if (node_at (p, at)->centre == node->centre)
      return true;
  return false;
}

static int
compare_centres (gconstpointer a, gconstpointer b)
{
  const struct ghc_time_centre *x = a, *y = b;
  return x->centre < y->centre ? -1 : x->centre > y->centre;
}

bool
ghc_time_profile_is_idle (const struct ghc_time_profile *p, uint32_t centre)
{
  return ghc_cost_centres_is_idle (&p->centres, centre);
}

GArray *
ghc_time_profile_centres (const struct ghc_time_profile *p)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct ghc_time_centre));
  GHashTable *places = g_hash_table_new (NULL, NULL);
  for (guint i = 1; i < p->nodes->len; i++) {
    const struct ghc_time_node *node = node_at (p, i);
    gpointer key = GUINT_TO_POINTER (node->centre);
    guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, key));
    if (place == 0) {
      const struct ghc_time_centre centre = { .centre = node->centre };
      g_array_append_val (all, centre);
      place = all->len;
      g_hash_table_insert (places, key, GUINT_TO_POINTER (place));
    }
    struct ghc_time_centre *centre = &g_array_index (all, struct ghc_time_centre, place - 1);
    centre->self += node->self;
    if (!is_within_itself (p, node))
      centre->total += node->total;
  }
  g_hash_table_unref (places);
  g_array_sort (all, compare_centres);
  return all;
}

/* Siblings stand together; among them the larger ones first, then by cost centre. */
static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct ghc_time_profile *p = data;
  const struct ghc_time_node *x = node_at (p, *(const guint *) a),
                             *y = node_at (p, *(const guint *) b);
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return x->centre < y->centre ? -1 : x->centre > y->centre;
}

GArray *
ghc_time_profile_tree (const struct ghc_time_profile *p)
{
  const guint n = p->nodes->len;
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  GArray *tree = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  guint *first = g_new0 (guint, n + 1); /* child of each node in `sorted` */
  for (guint i = 1; i < n; i++)
    g_array_append_val (sorted, i);
  g_array_sort_with_data (sorted, compare_siblings, (gpointer) p);
  for (guint i = sorted->len; i > 0; i--)
    first[node_at (p, g_array_index (sorted, guint, i - 1))->parent] = i;
  /* The stack holds where siblings go on: one after the place in `sorted`. */
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint at = first[0];
  while (at != 0 || stack->len != 0) {
    if (at == 0) {
      at = g_array_index (stack, guint, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      continue;
    }
    const guint node = g_array_index (sorted, guint, at - 1);
    const bool has_next
        = at < sorted->len
          && node_at (p, g_array_index (sorted, guint, at))->parent == node_at (p, node)->parent;
    const guint next = has_next ? at + 1 : 0;
    g_array_append_val (tree, node);
    if (next != 0)
      g_array_append_val (stack, next);
    at = first[node];
  }
  g_array_unref (stack);
  g_array_unref (sorted);
  g_free (first);
  return tree;
}
