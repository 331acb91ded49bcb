/* heap-branches.c -- merges siblings of one class in the dominator tree. */
#include "config.h"

#include "decoder/heap/heap-branches.h"

/* A branch that is known but not listed yet. */
struct pending_branch {
  struct heap_branch branch;
  uint64_t number; /* in order of finding */
  GArray *objects; /* of uint32_t */
};

struct branch_search {
  const struct heap_graph *g;
  const struct heap_dominators *d;
  struct heap_tree tree;
  GTree *pending; /* of struct pending_branch, by weight */
  uint64_t found;
  GHashTable *by_class; /* class -> struct pending_branch: of the children that are being found */
};

static int
compare_pending (const void *a, const void *b, void *data)
{
  const struct pending_branch *x = a, *y = b;
  (void) data;
  if (x->branch.retained != y->branch.retained)
    return x->branch.retained < y->branch.retained ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

static void
pending_free (void *data)
{
  struct pending_branch *w = data;
  g_array_unref (w->objects);
  g_free (w);
}

static void
add_object (struct branch_search *f, uint32_t parent, uint32_t object)
{
  const uint32_t klass = f->g->classes[object];
  struct pending_branch *w = g_hash_table_lookup (f->by_class, GUINT_TO_POINTER (klass));
  if (w == NULL) {
    w = g_new0 (struct pending_branch, 1);
    w->branch = (struct heap_branch){ .parent = parent, .klass = klass, .first = object };
    w->number = f->found++;
    w->objects = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    g_hash_table_insert (f->by_class, GUINT_TO_POINTER (klass), w);
  }
  w->branch.objects++;
  w->branch.bytes += f->g->bytes[object];
  w->branch.retained += f->d->retained[object];
  g_array_append_val (w->objects, object);
}

static void
add_children (struct branch_search *f, uint32_t parent, uint32_t object)
{
  for (uint32_t i = f->tree.first[object]; i < f->tree.first[object + 1]; i++)
    add_object (f, parent, f->tree.children[i]);
}

/* Their weights are known now. */
static void
wait_for_children (struct branch_search *f)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, f->by_class);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_tree_insert (f->pending, value, value);
  g_hash_table_remove_all (f->by_class);
}

GArray *
heap_branches_find (const struct heap_graph *g, const struct heap_dominators *d, guint limit,
                    bool *more)
{
  GArray *branches = g_array_new (FALSE, FALSE, sizeof (struct heap_branch));
  struct branch_search f = { .g = g,
                             .d = d,
                             .pending = g_tree_new_full (compare_pending, NULL, NULL, pending_free),
                             .by_class = g_hash_table_new (NULL, NULL) };
  heap_tree_init (&f.tree, d);
  add_children (&f, HEAP_NONE, g->n_objects);
  wait_for_children (&f);
  while (g_tree_nnodes (f.pending) > 0 && (limit == 0 || branches->len < limit)) {
    struct pending_branch *w = g_tree_node_value (g_tree_node_first (f.pending));
    g_array_append_val (branches, w->branch);
    for (guint i = 0; i < w->objects->len; i++)
      add_children (&f, branches->len - 1, g_array_index (w->objects, uint32_t, i));
    g_tree_remove (f.pending, w);
    wait_for_children (&f);
  }
  *more = g_tree_nnodes (f.pending) > 0;
  g_hash_table_destroy (f.by_class);
  g_tree_destroy (f.pending);
  heap_tree_clear (&f.tree);
  return branches;
}

/* ---- rows ---- */

static int
compare_weights (const void *a, const void *b, void *data)
{
  const uint64_t *weights = data;
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  if (weights[x] != weights[y])
    return weights[x] < weights[y] ? 1 : -1;
  return (x > y) - (x < y);
}

GArray *
heap_rows_of_tree (const uint32_t *parents, const uint64_t *weights, uint32_t n)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (struct heap_row));
  uint32_t *order = g_new (uint32_t, n + 1);
  uint32_t *first = g_new (uint32_t, n + 1), *next = g_new (uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    order[i] = i;
    first[i] = HEAP_NONE;
  }
  first[n] = HEAP_NONE;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_weights, (gpointer) weights);
  /* The lightest is entered first, and so comes last. */
  for (uint32_t i = n; i-- > 0;) {
    uint32_t *list = &first[parents[order[i]] == HEAP_NONE ? n : parents[order[i]]];
    next[order[i]] = *list;
    *list = order[i];
  }
  struct heap_row row = { first[n], 0 };
  while (row.node != HEAP_NONE) {
    g_array_append_val (rows, row);
    if (first[row.node] != HEAP_NONE) {
      row = (struct heap_row){ first[row.node], row.depth + 1 };
      continue;
    }
    while (next[row.node] == HEAP_NONE && row.depth > 0)
      row = (struct heap_row){ parents[row.node], row.depth - 1 };
    row.node = next[row.node];
  }
  g_free (order);
  g_free (first);
  g_free (next);
  return rows;
}
