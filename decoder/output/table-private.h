/* table-private.h -- what table.c and table-columns.c share. */
#ifndef PROFLOG_TABLE_PRIVATE_H
#define PROFLOG_TABLE_PRIVATE_H

#include "decoder/output/table.h"

/* The most columns of a table. */
#define TABLE_COLUMNS_MAX 32

/* The place of a column, n_columns if the table has none of this key. */
size_t table_find_column (const struct table_shape *shape, const char *key);

/* How many of these keys, up to NULL, are of columns; `keys` may be NULL. */
size_t table_count_known (const struct table_shape *shape, char **keys);

/* The columns that are shown, in order: their places, and what they are; how many. */
size_t table_pick_columns (const struct table_shape *shape, const struct view *view, size_t *picked,
                           struct emitter_column *columns);

/* As table_expect, under another key; `detailed`: its rows have their details. */
void table_expect_shape (const struct table_shape *shape, const struct view *view, const char *key,
                         const char *id, bool detailed, struct emitter *emitter);

#endif
