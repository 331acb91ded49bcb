/* heap-sizes-table.c -- rows of heap sizes. */
#include "config.h"

#include "decoder/views/heap-sizes-table.h"

static const struct emitter_column columns[]
    = { { "generation", "Generation", EMIT_ANY },
        { "collections", "Collections", EMIT_NUMBER },
        { "before_avg_bytes", "Before, avg bytes", EMIT_NUMBER },
        { "after_avg_bytes", "After, avg bytes", EMIT_NUMBER },
        { "before_max_bytes", "Before, max bytes", EMIT_NUMBER },
        { "after_max_bytes", "After, max bytes", EMIT_NUMBER } };
const struct table_shape heap_sizes_shape = {
  .key = "heap_sizes", .title = "Size of the heap", TABLE_SHAPE_COLUMNS (columns), .whole = true
};

void
heap_sizes_add_row (struct table *t, const struct emitter_any *generation,
                    const struct heap_sizes *c)
{
  if (c->count != 0)
    SECTION_ROW (t, { .any = generation }, { .number = c->count },
                 { .number = c->before_bytes / c->count }, { .number = c->after_bytes / c->count },
                 { .number = c->before_max }, { .number = c->after_max });
}
