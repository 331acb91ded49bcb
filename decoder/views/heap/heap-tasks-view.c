/* heap-tasks-view.c -- the asynchronous operations of a heap snapshot, and what they wait for. */
#include "config.h"

#include "decoder/heap/heap-tasks.h"
#include "decoder/views/heap/heap-views.h"

static const struct emitter_column columns[] = { { "operations", "Operations", EMIT_NUMBER },
                                                 { "new", "New", EMIT_ANY },
                                                 { "state", "State", EMIT_ANY },
                                                 { "operation", "Operation", EMIT_TEXT },
                                                 { "innermost", "Waits in", EMIT_TEXT },
                                                 { "waits", "Waits for", EMIT_TEXT },
                                                 { "type", NULL, EMIT_TEXT } };
static const struct table_shape operations
    = { .key = "operations",
        .title = "Operations that wait",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("operations", "operation", "innermost", "waits"),
        .name = "operation" };

static void
put_tasks (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  const struct heap_tasks *t = r->heap->tasks;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree struct emitter_any *came = g_new (struct emitter_any, t->operations->len + 1),
                                *states = g_new (struct emitter_any, t->operations->len + 1);
  struct table *table = section_table (r, &operations);
  heap_put_shot (r, "Operations of");
  if (emitter_get_format (r->e) != EMITTER_CSV) {
    emitter_open (r->e, "tasks", "Asynchronous operations");
    emitter_number (r->e, "count", "Number", t->count);
    if (r->heap->before != NULL)
      emitter_number (r->e, "before", "Compared with snapshot", r->heap->before->index);
    emitter_close (r->e);
  }
  for (guint i = 0; i < t->operations->len; i++) {
    const struct heap_operations *o = &g_array_index (t->operations, struct heap_operations, i);
    char *operation = heap_operation_text (g, o->klass),
         *innermost = heap_wait_innermost_text (t, g, o->wait),
         *waits = heap_wait_text (t, g, o->wait);
    came[i] = (struct emitter_any){ EMIT_NUMBER, { .number = o->came }, NULL };
    states[i] = (struct emitter_any){ o->state < 0 ? EMIT_CHANGE : EMIT_NUMBER,
                                      { .change = o->state },
                                      NULL };
    g_ptr_array_add (texts, operation);
    g_ptr_array_add (texts, innermost);
    g_ptr_array_add (texts, waits);
    SECTION_ROW (
        table, { .number = o->count }, { .any = r->heap->before != NULL ? &came[i] : NULL },
        { .any = o->has_state ? &states[i] : NULL }, { .text = operation }, { .text = innermost },
        { .text = waits }, { .text = g->class_list[o->klass].name });
  }
  table_write (table, r->e);
}

const struct section heap_section_tasks
    = { .key = "operations", .put = put_tasks, .tables = SECTION_TABLES (&operations) };
