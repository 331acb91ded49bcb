/* heap-paths.c -- a search from the roots in breadth, and its ways merged. */
#include "config.h"

#include "decoder/core/large-array.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-paths.h"
#include <stdlib.h>
#include <string.h>

/* Nodes up a way among which a step may be found again. */
#define AGAIN 8

static void
reach (struct heap_paths *p, uint32_t object, uint32_t parent, uint32_t through)
{
  if (p->parents[object] != HEAP_PATH_NONE)
    return;
  p->parents[object] = parent;
  p->through[object] = through;
  p->order[p->n_reached++] = object;
}

/* What stacks hold may be gone at the next step of the program, and what waits for its finalizer or
 * is an ephemeron's soon. */
bool
heap_root_is_passing (const struct heap_root *root)
{
  static const char *const kinds[] = { "stack", "finalizer", "finalizer-queue", "ephemeron", NULL };
  return g_strv_contains (kinds, root->kind);
}

static void
reach_roots (struct heap_paths *p, bool passing)
{
  const struct heap_graph *g = p->graph;
  for (uint32_t i = 0; i < g->n_roots; i++)
    if (!g->roots[i].is_weak && heap_root_is_passing (&g->roots[i]) == passing)
      reach (p, g->roots[i].object, HEAP_PATH_ROOT, i);
}

/* What these roots lead to, and other objects that were reached from the `next` one on; returns the
 * number of objects that are reached then. */
static uint32_t
reach_all (struct heap_paths *p, bool passing, uint32_t next)
{
  const struct heap_graph *g = p->graph;
  reach_roots (p, passing);
  for (; next < p->n_reached; next++) {
    const uint32_t object = p->order[next];
    for (uint32_t r = g->first[object]; r < g->first[object + 1]; r++)
      reach (p, g->targets[r], object, r);
  }
  return next;
}

void
heap_paths_init (struct heap_paths *p, const struct heap_graph *g)
{
  const size_t n = g->n_objects;
  *p = (struct heap_paths){ .graph = g };
  p->parents = large_array (n, sizeof *p->parents);
  p->through = large_array (n, sizeof *p->through);
  p->order = large_array (n, sizeof *p->order);
  memset (p->parents, 0xff, n * sizeof *p->parents); /* HEAP_PATH_NONE */
  reach_all (p, true, reach_all (p, false, 0));
}

void
heap_paths_clear (struct heap_paths *p)
{
  free (p->parents);
  free (p->through);
  free (p->order);
}

/* ---- merging ---- */

struct path_merge {
  const struct heap_paths *p;
  GArray *nodes;        /* of struct heap_path_node */
  GHashTable *children; /* struct child_key -> node + 1 */
  GHashTable *roots;    /* kind, name and field -> node + 1 */
  uint32_t *node_of;    /* by object */
};

struct child_key {
  uint32_t parent, klass;
  const char *field; /* two of one name are one */
};

static guint
hash_child (gconstpointer data)
{
  const struct child_key *key = data;
  return (key->parent * 31 + key->klass) * 31 + g_direct_hash (key->field);
}

static gboolean
is_same_child (gconstpointer a, gconstpointer b)
{
  const struct child_key *x = a, *y = b;
  return x->parent == y->parent && x->klass == y->klass && x->field == y->field;
}

static uint32_t
add_node (struct path_merge *m, uint32_t parent, uint32_t klass, const char *field, uint32_t root)
{
  const struct heap_path_node node
      = { .parent = parent, .klass = klass, .field = field, .root = root };
  g_array_append_val (m->nodes, node);
  return m->nodes->len - 1;
}

static uint32_t
root_node (struct path_merge *m, uint32_t root)
{
  const struct heap_root *r = &m->p->graph->roots[root];
  char *key = g_strdup_printf ("%s\n%s\n%s", r->kind, r->name != NULL ? r->name : "",
                               r->field != NULL ? r->field : "");
  uint32_t node = GPOINTER_TO_UINT (g_hash_table_lookup (m->roots, key));
  if (node == 0) {
    node = add_node (m, HEAP_NONE, HEAP_NONE, NULL, root) + 1;
    g_hash_table_insert (m->roots, key, GUINT_TO_POINTER (node));
  } else {
    g_free (key);
  }
  return node - 1;
}

static uint32_t
child_node (struct path_merge *m, uint32_t parent, uint32_t klass, const char *field)
{
  const struct heap_path_node *nodes = (const void *) m->nodes->data;
  uint32_t above = parent;
  for (int i = 0; i < AGAIN && nodes[above].parent != HEAP_NONE; i++, above = nodes[above].parent)
    if (nodes[above].klass == klass && nodes[nodes[above].parent].klass == nodes[parent].klass)
      return above;
  const struct child_key key = { parent, klass, field };
  uint32_t node = GPOINTER_TO_UINT (g_hash_table_lookup (m->children, &key));
  if (node == 0) {
    node = add_node (m, parent, klass, field, nodes[parent].root) + 1;
    g_hash_table_insert (m->children, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (node));
  }
  return node - 1;
}

/* Which objects are on the ways to those that are requested (transfer full). */
static uint8_t *
mark_ways (const struct heap_paths *p, const uint8_t *selected)
{
  uint8_t *marks = g_new0 (uint8_t, p->graph->n_objects);
  for (uint32_t i = 0; i < p->n_reached; i++)
    if (selected[p->order[i]])
      for (uint32_t at = p->order[i]; at < HEAP_PATH_ROOT && !marks[at]; at = p->parents[at])
        marks[at] = 1;
  return marks;
}

GArray *
heap_paths_merge (const struct heap_paths *p, const uint8_t *selected)
{
  const struct heap_graph *g = p->graph;
  struct path_merge m
      = { .p = p,
          .nodes = g_array_new (FALSE, FALSE, sizeof (struct heap_path_node)),
          .children = g_hash_table_new_full (hash_child, is_same_child, g_free, NULL),
          .roots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
          .node_of = large_array (g->n_objects, sizeof *m.node_of) };
  uint8_t *marks = mark_ways (p, selected);
  for (uint32_t i = 0; i < p->n_reached; i++) {
    const uint32_t object = p->order[i], parent = p->parents[object];
    if (!marks[object])
      continue;
    const uint32_t above
        = parent == HEAP_PATH_ROOT ? root_node (&m, p->through[object]) : m.node_of[parent];
    const char *field
        = parent == HEAP_PATH_ROOT ? NULL : heap_field_plain (g, parent, p->through[object]);
    m.node_of[object] = child_node (&m, above, g->classes[object], field);
    if (!selected[object])
      continue;
    struct heap_path_node *node
        = &g_array_index (m.nodes, struct heap_path_node, m.node_of[object]);
    node->own_objects++;
    node->own_bytes += g->bytes[object];
  }
  for (guint i = m.nodes->len; i-- > 0;) {
    struct heap_path_node *node = &g_array_index (m.nodes, struct heap_path_node, i);
    node->objects += node->own_objects;
    node->bytes += node->own_bytes;
    if (node->parent == HEAP_NONE)
      continue;
    struct heap_path_node *above = &g_array_index (m.nodes, struct heap_path_node, node->parent);
    above->objects += node->objects;
    above->bytes += node->bytes;
  }
  g_free (marks);
  free (m.node_of);
  g_hash_table_destroy (m.children);
  g_hash_table_destroy (m.roots);
  return m.nodes;
}
