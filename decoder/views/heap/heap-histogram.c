/* heap-histogram.c -- objects of a heap snapshot by class, assembly or size; and those that no root
 * leads to. */
#include "config.h"

#include "decoder/views/heap/heap-views.h"

static const struct emitter_column columns[] = { { "retained_bytes", "Retained", EMIT_NUMBER },
                                                 { "bytes", "Bytes", EMIT_NUMBER },
                                                 { "objects", "Objects", EMIT_NUMBER },
                                                 { "image", NULL, EMIT_TEXT },
                                                 { "name", "Type", EMIT_TEXT } };
static const struct table_shape types
    = { .key = "types",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("retained_bytes", "bytes", "objects", "name"),
        .name = "name",
        .apart = "image",
        .bytes = "bytes" };

static const struct emitter_column group_columns[]
    = { { "retained_bytes", "Retained", EMIT_NUMBER },
        { "bytes", "Bytes", EMIT_NUMBER },
        { "objects", "Objects", EMIT_NUMBER },
        { "name", "Assembly", EMIT_TEXT } };
static const struct table_shape assemblies
    = { .key = "assemblies",
        TABLE_SHAPE_COLUMNS (group_columns),
        .order = TABLE_KEYS ("retained_bytes", "bytes", "objects", "name"),
        .name = "name",
        .bytes = "bytes" };

static const struct emitter_column size_columns[] = { { "retained_bytes", "Retained", EMIT_NUMBER },
                                                      { "bytes", "Bytes", EMIT_NUMBER },
                                                      { "objects", "Objects", EMIT_NUMBER },
                                                      { "name", "Bytes of each", EMIT_TEXT } };
static const struct table_shape sizes = { .key = "sizes",
                                          TABLE_SHAPE_COLUMNS (size_columns),
                                          .name = "name",
                                          .bytes = "bytes",
                                          .whole = true };

static void
put_groups (const struct report *r, const struct table_shape *shape, enum heap_by by)
{
  struct heap_groups groups;
  struct table *t = section_table (r, shape);
  heap_groups_init (&groups, r->heap->graph, r->heap->dominators, by, HEAP_ALL);
  for (uint32_t i = 0; i < groups.n; i++) {
    const struct heap_group *group = &groups.all[i];
    if (group->objects == 0)
      continue;
    if (by == HEAP_BY_CLASS)
      SECTION_ROW (t, { .number = group->retained }, { .number = group->bytes },
                   { .number = group->objects }, { .text = group->image }, { .text = group->name });
    else
      SECTION_ROW (t, { .number = group->retained }, { .number = group->bytes },
                   { .number = group->objects }, { .text = group->name });
  }
  table_write (t, r->e);
  heap_groups_clear (&groups);
}

static void
put_histogram (const struct report *r)
{
  static const struct table_shape *const shapes[] = { &types, &assemblies, &sizes };
  heap_put_shot (r, "Objects of");
  put_groups (r, shapes[r->heap->by], r->heap->by);
}

const struct section heap_section_histogram = {
  .key = "histogram", .put = put_histogram, .tables = SECTION_TABLES (&types, &assemblies, &sizes)
};

/* ---- what no root leads to ---- */

static const struct emitter_column unreachable_columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                             { "objects", "Objects", EMIT_NUMBER },
                                                             { "image", NULL, EMIT_TEXT },
                                                             { "name", "Type", EMIT_TEXT } };
static const struct table_shape unreachable = { .key = "types",
                                                TABLE_SHAPE_COLUMNS (unreachable_columns),
                                                .order = TABLE_KEYS ("bytes", "objects", "name"),
                                                .name = "name",
                                                .apart = "image",
                                                .bytes = "bytes" };

static void
put_unreachable (const struct report *r)
{
  struct heap_groups groups;
  struct table *t = section_table (r, &unreachable);
  heap_put_shot (r, "Unreachable objects in");
  heap_groups_init (&groups, r->heap->graph, r->heap->dominators, HEAP_BY_CLASS,
                    HEAP_UNREACHED_ONLY);
  for (uint32_t i = 0; i < groups.n; i++) {
    const struct heap_group *group = &groups.all[i];
    if (group->objects != 0)
      SECTION_ROW (t, { .number = group->bytes }, { .number = group->objects },
                   { .text = group->image }, { .text = group->name });
  }
  if (r->heap->dominators->n_reached == r->heap->graph->n_objects)
    emitter_note (r->e, "Roots lead to all objects.");
  table_write (t, r->e);
  heap_groups_clear (&groups);
}

const struct section heap_section_unreachable
    = { .key = "unreachable", .put = put_unreachable, .tables = SECTION_TABLES (&unreachable) };
