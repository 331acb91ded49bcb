/* run-merge-private.h -- rows that are added up, for run-merge.c and run-merge-write.c. */
#ifndef PROFLOG_RUN_MERGE_PRIVATE_H
#define PROFLOG_RUN_MERGE_PRIVATE_H

#include "decoder/output/table.h"
#include "decoder/views/compare/merge-spec.h"
#include "decoder/views/compare/run-merge.h"

/* A row: the cells of its columns.  EMIT_ANY: null. */
struct merge_row {
  guint group;
  guint place; /* how many there were before */
  struct emitter_any cells[];
};

struct merge_table {
  const struct merge_spec *spec;
  guint n;          /* columns */
  GHashTable *rows; /* group and names -> struct merge_row */
  GPtrArray *order; /* of struct merge_row */
  struct table_shape shape;
  struct emitter_column columns[MERGE_COLUMNS_MAX + 1]; /* with the group's */
  const char *sorted[2];
};

struct run_merge {
  GPtrArray *tables; /* of struct merge_table; the last one is that of figures, if it is there */
  bool has_figures;
  GPtrArray *sections; /* of const char *: those whose figures it has */
  GStringChunk *texts;
  GString *name; /* of a row */
};

static inline bool
merge_cell_is_null (const struct emitter_any *cell)
{
  return cell->type == EMIT_ANY || (cell->type == EMIT_TEXT && cell->value.text == NULL);
}

#endif
