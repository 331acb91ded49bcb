/* heap-collections-view.c -- how full the collections of a heap snapshot are. */
#include "config.h"

#include "decoder/heap/heap-collections.h"
#include "decoder/views/heap/heap-views.h"

static const struct emitter_column sum_columns[] = { { "wasted_bytes", "Wasted", EMIT_NUMBER },
                                                     { "bytes", "Bytes", EMIT_NUMBER },
                                                     { "collections", "Collections", EMIT_NUMBER },
                                                     { "empty", "Empty", EMIT_NUMBER },
                                                     { "sparse", "Below a quarter", EMIT_NUMBER },
                                                     { "elements", "Elements", EMIT_NUMBER },
                                                     { "capacity", "Capacity", EMIT_NUMBER },
                                                     { "type", "Type", EMIT_TEXT },
                                                     { "holder", "Held by", EMIT_TEXT } };
static const struct table_shape sums
    = { .key = "holders",
        .title = "By class and holder",
        TABLE_SHAPE_COLUMNS (sum_columns),
        .order = TABLE_KEYS ("wasted_bytes", "bytes", "collections", "type", "holder"),
        .name = "type",
        .bytes = "wasted_bytes" };

static const struct emitter_column large_columns[]
    = { { "elements", "Elements", EMIT_NUMBER }, { "capacity", "Capacity", EMIT_NUMBER },
        { "bytes", "Bytes", EMIT_NUMBER },       { "wasted_bytes", "Wasted", EMIT_NUMBER },
        { "address", "Address", EMIT_ADDRESS },  { "type", "Type", EMIT_TEXT },
        { "holder", "Held by", EMIT_TEXT } };
static const struct table_shape large
    = { .key = "largest",
        .title = "The largest",
        TABLE_SHAPE_COLUMNS (large_columns),
        .order = TABLE_KEYS ("elements", "bytes", "type", "address"),
        .name = "type",
        .bytes = "bytes" };

static const struct emitter_column growth_columns[] = { { "elements_change", "More", EMIT_CHANGE },
                                                        { "elements", "Elements", EMIT_NUMBER },
                                                        { "bytes", "Bytes", EMIT_NUMBER },
                                                        { "address", "Address", EMIT_ADDRESS },
                                                        { "type", "Type", EMIT_TEXT },
                                                        { "holder", "Held by", EMIT_TEXT } };
static const struct table_shape growing
    = { .key = "growing",
        .title = "That grow fastest",
        TABLE_SHAPE_COLUMNS (growth_columns),
        .order = TABLE_KEYS ("elements_change", "elements", "type", "address"),
        .name = "type",
        .bytes = "bytes" };

/* A row is a collection or a sum, by its number. */
struct rows_context {
  const struct heap_graph *graph;
  const GArray *rows;
};

static char *
holder_of_sum (const void *data, uint64_t nth)
{
  const struct rows_context *c = data;
  return heap_holder_text (c->graph, g_array_index (c->rows, struct heap_filling_sum, nth).holder);
}

static char *
holder_of_one (const void *data, uint64_t nth)
{
  const struct rows_context *c = data;
  return heap_holder_text (c->graph, g_array_index (c->rows, struct heap_filling, nth).holder);
}

static void
put_sums (const struct report *r, const struct heap_collections *c)
{
  const struct rows_context context = { r->heap->graph, c->sums };
  struct table *t = section_table (r, &sums);
  table_set_text (t, "type", heap_class_text, r->heap->graph);
  table_set_text (t, "holder", holder_of_sum, &context);
  for (guint i = 0; i < c->sums->len; i++) {
    const struct heap_filling_sum *s = &g_array_index (c->sums, struct heap_filling_sum, i);
    SECTION_ROW (t, { .number = s->wasted }, { .number = s->bytes }, { .number = s->collections },
                 { .number = s->empty }, { .number = s->sparse }, { .number = s->count },
                 { .number = s->capacity }, { .number = s->klass }, { .number = i });
  }
  table_write (t, r->e);
}

static void
put_largest (const struct report *r, const struct heap_collections *c)
{
  const struct heap_graph *g = r->heap->graph;
  const struct rows_context context = { g, c->all };
  struct table *t = section_table (r, &large);
  table_set_text (t, "type", heap_class_text, g);
  table_set_text (t, "holder", holder_of_one, &context);
  for (guint i = 0; i < c->all->len; i++) {
    const struct heap_filling *f = &g_array_index (c->all, struct heap_filling, i);
    SECTION_ROW (t, { .number = f->count }, { .number = f->capacity }, { .number = f->bytes },
                 { .number = f->wasted }, { .number = g->addresses[f->object] },
                 { .number = g->classes[f->object] }, { .number = i });
  }
  table_write (t, r->e);
}

static void
put_growing (const struct report *r, const struct heap_collections *c)
{
  const struct heap_graph *g = r->heap->graph;
  const struct rows_context context = { g, c->all };
  struct table *t = section_table (r, &growing);
  table_set_text (t, "type", heap_class_text, g);
  table_set_text (t, "holder", holder_of_one, &context);
  for (guint i = 0; i < c->all->len; i++) {
    const struct heap_filling *f = &g_array_index (c->all, struct heap_filling, i);
    if (f->is_known_before && f->count > f->count_before)
      SECTION_ROW (t, { .change = (int64_t) (f->count - f->count_before) }, { .number = f->count },
                   { .number = f->bytes }, { .number = g->addresses[f->object] },
                   { .number = g->classes[f->object] }, { .number = i });
  }
  table_write (t, r->e);
}

static void
put_collections (const struct report *r)
{
  const struct heap_collections *c = r->heap->collections;
  uint64_t wasted = 0;
  heap_put_shot (r, "Collections of");
  for (guint i = 0; i < c->all->len; i++)
    wasted += g_array_index (c->all, struct heap_filling, i).wasted;
  if (emitter_get_format (r->e) != EMITTER_CSV) {
    emitter_open (r->e, "collections", "Collections and arrays");
    emitter_number (r->e, "count", "Number", c->all->len);
    emitter_number (r->e, "wasted_bytes", "Wasted bytes", wasted);
    if (r->heap->before != NULL)
      emitter_number (r->e, "before", "Compared with snapshot", r->heap->before->index);
    emitter_close (r->e);
  }
  put_sums (r, c);
  put_largest (r, c);
  put_growing (r, c);
}

const struct section heap_section_collections = {
  .key = "collections", .put = put_collections, .tables = SECTION_TABLES (&sums, &large, &growing)
};
