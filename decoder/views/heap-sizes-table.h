/* heap-sizes-table.h -- the table of the size of the heap before and after collections, by
 * generation.
 */
#ifndef PROFLOG_HEAP_SIZES_TABLE_H
#define PROFLOG_HEAP_SIZES_TABLE_H

#include "decoder/core/heap-sizes.h"
#include "decoder/views/section.h"

extern const struct table_shape heap_sizes_shape;

/* A row for a generation (an EMIT_ANY cell), unless there is nothing to report. */
void heap_sizes_add_row (struct table *table, const struct emitter_any *generation,
                         const struct heap_sizes *sizes);

#endif
