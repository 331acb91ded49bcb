/* heap-object.c -- one object of a heap snapshot: what it is, what holds it, what refers to what.
 */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include "decoder/views/heap/heap-views.h"

static const struct emitter_column reference_columns[]
    = { { "address", "Address", EMIT_ADDRESS }, { "offset", "Offset", EMIT_ANY },
        { "bytes", "Bytes", EMIT_NUMBER },      { "retained_bytes", "Retained", EMIT_NUMBER },
        { "type", "Type", EMIT_TEXT },          { "field", "Field", EMIT_TEXT } };

/* Logs without descriptions of classes have no fields. */
static const struct table_shape incoming = { .key = "in",
                                             .title = "Referred to from",
                                             HEAP_SHAPE_WITHOUT_FIELD (reference_columns),
                                             .name = "type",
                                             .bytes = "bytes" };
static const struct table_shape outgoing = { .key = "out",
                                             .title = "Refers to",
                                             HEAP_SHAPE_WITHOUT_FIELD (reference_columns),
                                             .name = "type",
                                             .bytes = "bytes" };
static const struct table_shape incoming_fields = { .key = "in",
                                                    .title = "Referred to from",
                                                    TABLE_SHAPE_COLUMNS (reference_columns),
                                                    .name = "type",
                                                    .bytes = "bytes" };
static const struct table_shape outgoing_fields = { .key = "out",
                                                    .title = "Refers to",
                                                    TABLE_SHAPE_COLUMNS (reference_columns),
                                                    .name = "type",
                                                    .bytes = "bytes" };

static const struct emitter_column root_columns[] = { { "address", "Address", EMIT_ADDRESS },
                                                      { "kind", "Root", EMIT_TEXT },
                                                      { "strength", NULL, EMIT_TEXT },
                                                      { "name", "Which", EMIT_TEXT },
                                                      { "field", "Field", EMIT_TEXT } };
static const struct table_shape roots
    = { .key = "roots", .title = "Held by", HEAP_SHAPE_WITHOUT_FIELD (root_columns) };
static const struct table_shape root_fields
    = { .key = "roots", .title = "Held by", TABLE_SHAPE_COLUMNS (root_columns) };

/* The same of a kind, name and address is one. */
static bool
is_printed_before (const struct heap_graph *g, uint32_t root)
{
  const struct heap_root *now = &g->roots[root];
  for (uint32_t i = 0; i < root; i++) {
    const struct heap_root *r = &g->roots[i];
    if (r->object == now->object && r->kind == now->kind && r->name == now->name
        && r->address == now->address && r->is_weak == now->is_weak)
      return true;
  }
  return false;
}

static void
put_roots (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  struct table *t = section_table (r, g->has_fields ? &root_fields : &roots);
  for (uint32_t i = 0; i < g->n_roots; i++) {
    const struct heap_root *root = &g->roots[i];
    if (root->object == r->heap->object && !is_printed_before (g, i))
      SECTION_ROW (t, { .number = root->address }, { .text = root->kind },
                   { .text = root->is_weak      ? "weak"
                             : root->is_pinning ? "pinning"
                                                : "strong" },
                   { .text = root->name }, { .text = root->field });
  }
  table_write (t, r->e);
}

/* The references of a graph that are shown, and where their offsets are retained. */
struct list_context {
  const struct report *r;
  struct table *table;
  GPtrArray *offsets; /* of struct emitter_any */
};

static struct list_context
begin_listing (const struct report *r, const struct table_shape *plain,
               const struct table_shape *with_fields)
{
  const bool has_fields = r->heap->graph->has_fields;
  struct list_context l = { r, section_table (r, has_fields ? with_fields : plain),
                            g_ptr_array_new_with_free_func (g_free) };
  table_set_text (l.table, "type", heap_class_text, r->heap->graph);
  if (has_fields)
    table_set_text (l.table, "field", heap_reference_text, r->heap->graph);
  return l;
}

static void
list (struct list_context *l, uint32_t object, uint32_t reference)
{
  const struct heap_graph *g = l->r->heap->graph;
  struct emitter_any *offset = NULL;
  if (g->offsets != NULL) {
    offset = g_new0 (struct emitter_any, 1);
    offset->type = EMIT_NUMBER;
    offset->value.number = g->offsets[reference];
    g_ptr_array_add (l->offsets, offset);
  }
  SECTION_ROW (l->table, { .number = g->addresses[object] }, { .any = offset },
               { .number = g->bytes[object] },
               { .number = l->r->heap->dominators->retained[object] },
               { .number = g->classes[object] }, { .number = reference });
}

static void
end_listing (struct list_context *l)
{
  table_write (l->table, l->r->e);
  g_ptr_array_free (l->offsets, TRUE);
}

static void
put_refs (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  const uint32_t object = r->heap->object;
  heap_put_shot (r, "References in");
  if (emitter_get_format (r->e) != EMITTER_CSV) {
    emitter_value (r->e, "address", "Object", EMIT_ADDRESS,
                   (union emitter_value){ .number = g->addresses[object] });
    emitter_text (r->e, "type", "Type", g->class_list[g->classes[object]].name);
  }
  put_roots (r);
  struct list_context l = begin_listing (r, &incoming, &incoming_fields);
  for (uint32_t i = 0; i < g->n_objects; i++)
    for (uint32_t reference = g->first[i]; reference < g->first[i + 1]; reference++)
      if (g->targets[reference] == object)
        list (&l, i, reference);
  end_listing (&l);
  l = begin_listing (r, &outgoing, &outgoing_fields);
  for (uint32_t i = g->first[object]; i < g->first[object + 1]; i++)
    list (&l, g->targets[i], i);
  end_listing (&l);
}

const struct section heap_section_refs
    = { .key = "refs",
        .put = put_refs,
        .tables = SECTION_TABLES (&root_fields, &incoming_fields, &outgoing_fields) };

/* ---- the object ---- */

static uint64_t
count_incoming (const struct heap_graph *g, uint32_t object)
{
  uint64_t count = 0;
  for (uint32_t i = 0; i < g->n_references; i++)
    count += g->targets[i] == object;
  return count;
}

static void
put_dominator (struct emitter *e, const struct heap_graph *g, uint32_t object, uint32_t dominator)
{
  if (dominator == HEAP_UNREACHED) {
    emitter_text (e, "dominator", NULL, NULL);
    emitter_note (e, "No root leads to this object.");
  } else if (dominator == HEAP_ROOTS) {
    emitter_text (e, "dominator", NULL, NULL);
    emitter_note (e, "No other object alone keeps it alive.");
  } else {
    emitter_value (e, "dominator", "Kept alive by", EMIT_ADDRESS,
                   (union emitter_value){ .number = g->addresses[dominator] });
    emitter_text (e, "dominator_type", "Of type", g->class_list[g->classes[dominator]].name);
    g_autofree char *field = heap_reference_text (g, heap_field_find (g, dominator, object));
    if (field != NULL)
      emitter_text (e, "dominator_field", "By its field", field);
  }
}

static void
put_object (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  const struct heap_dominators *d = r->heap->dominators;
  const uint32_t object = r->heap->object;
  const struct heap_class *klass = &g->class_list[g->classes[object]];
  struct emitter *e = r->e;
  heap_put_shot (r, "An object of");
  emitter_open (e, "object", "Object");
  emitter_value (e, "address", "Address", EMIT_ADDRESS,
                 (union emitter_value){ .number = g->addresses[object] });
  emitter_text (e, "type", "Type", klass->name);
  emitter_text (e, "image", klass->image != NULL ? "Image" : NULL, klass->image);
  emitter_number (e, "generation", "Generation", g->generations[object]);
  emitter_number (e, "bytes", "Bytes", g->bytes[object]);
  emitter_number (e, "retained_bytes", "Retained", d->retained[object]);
  emitter_truth (e, "reachable", NULL, d->dominators[object] != HEAP_UNREACHED);
  put_dominator (e, g, object, d->dominators[object]);
  emitter_number (e, "references_in", "References to it", count_incoming (g, object));
  emitter_number (e, "references_out", "References from it",
                  g->first[object + 1] - g->first[object]);
  emitter_close (e);
  put_roots (r);
}

const struct section heap_section_object
    = { .key = "object", .put = put_object, .tables = SECTION_TABLES (&root_fields) };
