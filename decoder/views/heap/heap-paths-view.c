/* heap-paths-view.c -- the shortest ways from roots to an object, or to the objects of a class. */
#include "config.h"

#include "decoder/heap/heap-branches.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-paths.h"
#include "decoder/views/heap/heap-views.h"
#include <string.h>

/* ---- to an object ---- */

static const struct emitter_column step_columns[] = { { "address", "Address", EMIT_ADDRESS },
                                                      { "bytes", "Bytes", EMIT_NUMBER },
                                                      { "offset", "Offset", EMIT_ANY },
                                                      { "type", "Type", EMIT_TEXT },
                                                      { "field", "Field", EMIT_TEXT } };

/* Logs without descriptions of classes have no fields. */
static const struct table_shape steps
    = { .key = "path", HEAP_SHAPE_WITHOUT_FIELD (step_columns), .name = "type", .bytes = "bytes" };
static const struct table_shape step_fields
    = { .key = "path", TABLE_SHAPE_COLUMNS (step_columns), .name = "type", .bytes = "bytes" };

/* The object, what refers to it, what refers to that: up to what a root holds. */
static GArray *
steps_up (const struct heap_paths *p, uint32_t object)
{
  GArray *up = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (; object < HEAP_PATH_ROOT; object = p->parents[object])
    g_array_append_val (up, object);
  return up;
}

static void
put_root (struct emitter *e, const struct heap_root *root)
{
  emitter_text (e, "root_kind", "Root", root->kind);
  emitter_text (e, "root_name", root->name != NULL ? "Which" : NULL, root->name);
  if (root->field != NULL) {
    emitter_text (e, "root_class", NULL, root->holder);
    emitter_text (e, "root_field", "Field", root->field);
  }
  emitter_value (e, "root_address", root->address != 0 ? "At" : NULL, EMIT_ADDRESS,
                 (union emitter_value){ .number = root->address });
}

static void
put_steps (const struct report *r, const struct heap_paths *p, const GArray *up)
{
  const struct heap_graph *g = p->graph;
  struct table *t = section_table (r, g->has_fields ? &step_fields : &steps);
  struct emitter_any *offsets = g_new0 (struct emitter_any, up->len + 1);
  table_set_text (t, "type", heap_class_text, g);
  if (g->has_fields)
    table_set_text (t, "field", heap_reference_text, g);
  for (guint i = up->len; i-- > 0;) {
    const uint32_t object = g_array_index (up, uint32_t, i);
    const bool has_offset = p->parents[object] != HEAP_PATH_ROOT && g->offsets != NULL;
    offsets[i].type = EMIT_NUMBER;
    offsets[i].value.number = has_offset ? g->offsets[p->through[object]] : 0;
    SECTION_ROW (t, { .number = g->addresses[object] }, { .number = g->bytes[object] },
                 { .any = has_offset ? &offsets[i] : NULL }, { .number = g->classes[object] },
                 { .number = has_offset ? p->through[object] : HEAP_NONE });
  }
  table_write (t, r->e);
  g_free (offsets);
}

static void
put_path (const struct report *r, const struct heap_paths *p)
{
  const uint32_t object = r->heap->object;
  emitter_text (r->e, "to", NULL, r->heap->subject);
  if (p->parents[object] == HEAP_PATH_NONE) {
    emitter_note (r->e, "No root leads to this object.");
    emitter_number (r->e, "length", NULL, 0);
    table_write (section_table (r, &steps), r->e);
    return;
  }
  GArray *up = steps_up (p, object);
  emitter_number (r->e, "length", NULL, up->len);
  put_root (r->e, &p->graph->roots[p->through[g_array_index (up, uint32_t, up->len - 1)]]);
  put_steps (r, p, up);
  g_array_unref (up);
}

/* ---- to the objects of a class ---- */

static const struct emitter_column tree_columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                      { "objects", "Objects", EMIT_NUMBER },
                                                      { "way", "Path from the roots", EMIT_TEXT } };
static const struct table_shape tree
    = { .key = "ways", TABLE_SHAPE_COLUMNS (tree_columns), .bytes = "bytes" };

static const struct emitter_column path_columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                      { "objects", "Objects", EMIT_NUMBER },
                                                      { "root_kind", "Root", EMIT_TEXT },
                                                      { "root_name", "Which", EMIT_TEXT } };
static const struct table_shape paths = { .key = "paths",
                                          TABLE_SHAPE_COLUMNS (path_columns),
                                          .order = TABLE_KEYS ("bytes", "objects"),
                                          .bytes = "bytes",
                                          .details = TABLE_KEYS ("types") };

struct ways {
  const struct heap_graph *g;
  const GArray *nodes; /* of struct heap_path_node */
};

static const struct heap_path_node *
node_at (const struct ways *w, uint32_t node)
{
  return &g_array_index (w->nodes, struct heap_path_node, node);
}

static void
put_types (const void *data, uint64_t node, struct emitter *e)
{
  const struct ways *w = data;
  GPtrArray *names = g_ptr_array_new ();
  for (uint32_t at = (uint32_t) node; node_at (w, at)->klass != HEAP_NONE;
       at = node_at (w, at)->parent)
    g_ptr_array_insert (names, 0, (gpointer) w->g->class_list[node_at (w, at)->klass].name);
  emitter_texts (e, "types", NULL, names);
  g_ptr_array_free (names, TRUE);
}

/* For programs: each way with what it leads to itself. */
static void
put_paths (const struct report *r, const struct ways *w)
{
  struct table *t = section_table (r, &paths);
  table_set_detail (t, put_types, w);
  for (guint i = 0; i < w->nodes->len; i++) {
    const struct heap_path_node *node = node_at (w, i);
    const struct heap_root *root = &w->g->roots[node->root];
    if (node->own_objects != 0)
      SECTION_ROW_ID (t, i, { .number = node->own_bytes }, { .number = node->own_objects },
                      { .text = root->kind }, { .text = root->name });
  }
  table_write (t, r->e);
}

static char *
name_way (const struct ways *w, const struct heap_path_node *node, uint32_t depth)
{
  const struct heap_root *root = &w->g->roots[node->root];
  char *name = node->klass == HEAP_NONE ? heap_root_text (root)
               : node->field != NULL
                   ? g_strdup_printf ("%s: %s", node->field, w->g->class_list[node->klass].name)
                   : g_strdup (w->g->class_list[node->klass].name);
  char *text = heap_indent (depth, name);
  g_free (name);
  return text;
}

static int
compare_nodes (const void *a, const void *b, void *data)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  const uint64_t m = node_at (data, x)->objects, n = node_at (data, y)->objects;
  return m != n ? (m < n) - (m > n) : (x > y) - (x < y);
}

/* For people: the ways that lead to most, as a tree.  No node leads to more than its parent. */
static void
put_tree (const struct report *r, const struct ways *w)
{
  const guint n = w->nodes->len, limit = r->view->limit;
  const guint shown = limit != 0 ? MIN (n, limit) : n;
  uint32_t *chosen = g_new (uint32_t, n + 1), *place = g_new (uint32_t, n + 1);
  uint32_t *parents = g_new (uint32_t, shown + 1);
  uint64_t *weights = g_new (uint64_t, shown + 1);
  struct table *t = section_table (r, &tree);
  for (guint i = 0; i < n; i++)
    chosen[i] = i;
  g_qsort_with_data (chosen, (gint) n, sizeof *chosen, compare_nodes, (gpointer) w);
  for (guint i = 0; i < shown; i++) {
    const struct heap_path_node *node = node_at (w, chosen[i]);
    place[chosen[i]] = i;
    parents[i] = node->parent != HEAP_NONE ? place[node->parent] : HEAP_NONE;
    weights[i] = node->objects;
  }
  GArray *rows = heap_rows_of_tree (parents, weights, shown);
  for (guint i = 0; i < rows->len; i++) {
    const struct heap_row *row = &g_array_index (rows, struct heap_row, i);
    const struct heap_path_node *node = node_at (w, chosen[row->node]);
    char *name = name_way (w, node, row->depth);
    SECTION_ROW (t, { .number = node->bytes }, { .number = node->objects }, { .text = name });
    g_free (name);
  }
  table_write (t, r->e);
  if (shown < n)
    emitter_note (r->e, "There are other paths; --limit 0 shows all.");
  g_array_unref (rows);
  g_free (chosen);
  g_free (place);
  g_free (parents);
  g_free (weights);
}

static void
put_ways (const struct report *r, const struct heap_paths *p)
{
  const struct heap_graph *g = p->graph;
  const uint8_t *selected = r->heap->selected;
  uint64_t objects = 0, reached = 0;
  for (uint32_t i = 0; i < g->n_objects; i++) {
    objects += selected[i];
    reached += selected[i] && p->parents[i] != HEAP_PATH_NONE;
  }
  GArray *merged = heap_paths_merge (p, selected);
  const struct ways w = { g, merged };
  if (emitter_get_format (r->e) != EMITTER_CSV) {
    emitter_text (r->e, "to", "To", r->heap->subject);
    emitter_number (r->e, "objects", "Objects", objects);
    emitter_number (r->e, "unreachable_objects",
                    reached < objects ? "Of these no root leads to" : NULL, objects - reached);
  }
  if (section_is_machine_readable (r))
    put_paths (r, &w);
  else
    put_tree (r, &w);
  g_array_unref (merged);
}

static void
put_section (const struct report *r)
{
  struct heap_paths p;
  heap_put_shot (r, "Paths from the roots in");
  heap_paths_init (&p, r->heap->graph);
  if (r->heap->selected != NULL)
    put_ways (r, &p);
  else
    put_path (r, &p);
  heap_paths_clear (&p);
}

const struct section heap_section_paths = {
  .key = "paths", .put = put_section, .tables = SECTION_TABLES (&step_fields, &tree, &paths)
};
