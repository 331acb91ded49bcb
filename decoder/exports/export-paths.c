/* export-paths.c -- paths of a heap snapshot in the language of Graphviz. */
#include "config.h"

#include "decoder/exports/export-paths.h"
#include "decoder/heap/heap-fields.h"

/* A label within quotes. */
static void
put_label (GString *to, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  for (const char *c = valid; *c != 0; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_c (to, '\\');
    g_string_append_c (to, g_ascii_iscntrl (*c) ? ' ' : *c);
  }
}

static void
begin_graph (GString *to)
{
  g_string_append (to, "digraph paths {\n  node [shape=ellipse];\n");
}

static void
put_root (GString *to, const struct heap_root *root)
{
  g_autofree char *text = heap_root_text (root);
  put_label (to, text);
}

/* ---- to an object ---- */

static void
put_step (GString *to, const struct heap_paths *p, uint32_t object)
{
  const struct heap_graph *g = p->graph;
  const uint32_t parent = p->parents[object];
  g_string_append_printf (to, "  o%u [label=\"", object);
  put_label (to, g->class_list[g->classes[object]].name);
  g_string_append_printf (to, "\\n0x%" G_GINT64_MODIFIER "x, %" G_GUINT64_FORMAT " bytes\"];\n",
                          g->addresses[object], g->bytes[object]);
  if (parent == HEAP_PATH_ROOT) {
    g_string_append (to, "  root [shape=box, label=\"");
    put_root (to, &g->roots[p->through[object]]);
    g_string_append_printf (to, "\"];\n  root -> o%u;\n", object);
  } else {
    g_string_append_printf (to, "  o%u -> o%u", parent, object);
    g_autofree char *field = heap_field_name (g, parent, p->through[object], true);
    if (field != NULL) {
      g_string_append (to, " [label=\"");
      put_label (to, field);
      g_string_append (to, "\"]");
    } else if (g->offsets != NULL && g->offsets[p->through[object]] != UINT32_MAX)
      g_string_append_printf (to, " [label=\"+%u\"]", g->offsets[p->through[object]]);
    g_string_append (to, ";\n");
  }
}

void
export_path_dot (GString *to, const struct heap_paths *p, uint32_t object)
{
  begin_graph (to);
  if (p->parents[object] != HEAP_PATH_NONE)
    for (; object != HEAP_PATH_ROOT; object = p->parents[object])
      put_step (to, p, object);
  g_string_append (to, "}\n");
}

/* ---- to many objects ---- */

static int
compare_nodes (const void *a, const void *b, void *nodes)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  const uint64_t m = g_array_index ((GArray *) nodes, struct heap_path_node, x).objects;
  const uint64_t n = g_array_index ((GArray *) nodes, struct heap_path_node, y).objects;
  return m != n ? (m < n) - (m > n) : (x > y) - (x < y);
}

static void
put_node (GString *to, const struct heap_graph *g, const struct heap_path_node *node, guint number)
{
  const bool is_root = node->klass == HEAP_NONE;
  g_string_append_printf (to, "  n%u [%slabel=\"", number, is_root ? "shape=box, " : "");
  if (is_root)
    put_root (to, &g->roots[node->root]);
  else
    put_label (to, g->class_list[node->klass].name);
  g_string_append_printf (to, "\\n%" G_GUINT64_FORMAT " objects, %" G_GUINT64_FORMAT " bytes\"];\n",
                          node->objects, node->bytes);
  if (node->parent == HEAP_NONE)
    return;
  g_string_append_printf (to, "  n%u -> n%u", node->parent, number);
  if (node->field != NULL) {
    g_string_append (to, " [label=\"");
    put_label (to, node->field);
    g_string_append (to, "\"]");
  }
  g_string_append (to, ";\n");
}

void
export_path_dots (GString *to, const struct heap_paths *p, const uint8_t *selected, guint limit)
{
  GArray *nodes = heap_paths_merge (p, selected);
  const guint shown = limit != 0 ? MIN (nodes->len, limit) : nodes->len;
  g_autofree uint32_t *order = g_new (uint32_t, nodes->len + 1);
  for (guint i = 0; i < nodes->len; i++)
    order[i] = i;
  /* No node leads to more than its parent, which comes first. */
  g_qsort_with_data (order, (gint) nodes->len, sizeof *order, compare_nodes, nodes);
  begin_graph (to);
  if (shown < nodes->len)
    g_string_append_printf (to, "  label=\"%u of %u nodes; --limit 0 shows all\";\n", shown,
                            nodes->len);
  for (guint i = 0; i < shown; i++)
    put_node (to, p->graph, &g_array_index (nodes, struct heap_path_node, order[i]), order[i]);
  g_string_append (to, "}\n");
  g_array_unref (nodes);
}
