/* heap-dominators-view.c -- the dominator tree: for people its heaviest branches, for programs each
 * object. */
#include "config.h"

#include "decoder/heap/heap-branches.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/views/heap/heap-views.h"

static const struct emitter_column node_columns[] = { { "address", "Address", EMIT_ADDRESS },
                                                      { "type", "Type", EMIT_TEXT },
                                                      { "bytes", "Bytes", EMIT_NUMBER },
                                                      { "retained_bytes", "Retained", EMIT_NUMBER },
                                                      { "dominator", "Dominator", EMIT_TEXT } };
static const struct table_shape nodes = { .key = "nodes",
                                          TABLE_SHAPE_COLUMNS (node_columns),
                                          .order = TABLE_KEYS ("retained_bytes"),
                                          .name = "type",
                                          .bytes = "retained_bytes" };

static const struct emitter_column branch_columns[]
    = { { "retained_bytes", "Retained", EMIT_NUMBER },
        { "share", "of all", EMIT_SHARE },
        { "bytes", "Bytes", EMIT_NUMBER },
        { "objects", "Objects", EMIT_NUMBER },
        { "type", NULL, EMIT_TEXT },
        { "name", "Type", EMIT_TEXT } };
static const struct table_shape branches = {
  .key = "branches", TABLE_SHAPE_COLUMNS (branch_columns), .name = "type", .bytes = "retained_bytes"
};

static char *
heap_address_text (const void *graph, uint64_t object)
{
  const struct heap_graph *g = graph;
  return object < g->n_objects ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", g->addresses[object])
                               : NULL;
}

static void
put_nodes (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  const struct heap_dominators *d = r->heap->dominators;
  struct table *t = section_table (r, &nodes);
  table_set_text (t, "type", heap_class_text, g);
  table_set_text (t, "dominator", heap_address_text, g);
  for (uint32_t i = 0; i < g->n_objects; i++)
    if (d->dominators[i] != HEAP_UNREACHED)
      SECTION_ROW (t, { .number = g->addresses[i] }, { .number = g->classes[i] },
                   { .number = g->bytes[i] }, { .number = d->retained[i] },
                   { .number = d->dominators[i] });
  table_write (t, r->e);
}

/* The field by which its dominator refers to the only object of a branch (transfer full); NULL: not
 * known, or others lead there. */
static char *
field_of_branch (const struct heap_graph *g, const struct heap_dominators *d,
                 const struct heap_branch *b)
{
  const uint32_t dominator = d->dominators[b->first];
  return b->objects == 1 && dominator < g->n_objects
             ? heap_field_of_reference (g, heap_field_find (g, dominator, b->first))
             : NULL;
}

/* "Type", with how many there are or the address of the only one, and the field that it is in. */
static char *
name_branch (const struct heap_graph *g, const struct heap_dominators *d,
             const struct heap_branch *b, uint32_t depth)
{
  const char *name = g->class_list[b->klass].name;
  g_autofree char *field = field_of_branch (g, d, b);
  char *full
      = b->objects == 1
            ? g_strdup_printf ("%s%s%s 0x%" G_GINT64_MODIFIER "x", field != NULL ? field : "",
                               field != NULL ? ": " : "", name, g->addresses[b->first])
            : g_strdup (name);
  char *text = heap_indent (depth, full);
  g_free (full);
  return text;
}

static void
put_branches (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  const struct heap_dominators *d = r->heap->dominators;
  struct table *t = section_table (r, &branches);
  /* Those that names choose may be light ones. */
  const guint limit = selection_has_names (r->view->selection) ? 0 : r->view->limit;
  bool more;
  GArray *found = heap_branches_find (g, d, limit, &more);
  uint32_t *parents = g_new (uint32_t, found->len + 1);
  uint64_t *weights = g_new (uint64_t, found->len + 1);
  for (guint i = 0; i < found->len; i++) {
    const struct heap_branch *b = &g_array_index (found, struct heap_branch, i);
    parents[i] = b->parent;
    weights[i] = b->retained;
  }
  GArray *rows = heap_rows_of_tree (parents, weights, found->len);
  for (guint i = 0; i < rows->len; i++) {
    const struct heap_row *row = &g_array_index (rows, struct heap_row, i);
    const struct heap_branch *b = &g_array_index (found, struct heap_branch, row->node);
    char *name = name_branch (g, d, b, row->depth);
    const uint64_t share = emitter_share (b->retained, d->reached_bytes);
    SECTION_ROW (t, { .number = b->retained }, { .number = share }, { .number = b->bytes },
                 { .number = b->objects }, { .text = g->class_list[b->klass].name },
                 { .text = name });
    g_free (name);
  }
  table_write (t, r->e);
  if (more)
    emitter_note (r->e, "Smaller branches are hidden; --limit 0 shows them.");
  g_array_unref (rows);
  g_array_unref (found);
  g_free (parents);
  g_free (weights);
}

static void
put_dominators (const struct report *r)
{
  heap_put_shot (r, "Dominator tree of");
  if (section_is_machine_readable (r))
    put_nodes (r);
  else
    put_branches (r);
}

const struct section heap_section_dominators
    = { .key = "dominators", .put = put_dominators, .tables = SECTION_TABLES (&nodes, &branches) };
