/* mprof-rows.h -- rows of tables, most first, of equal ones by name. */
#ifndef PROFLOG_MPROF_ROWS_H
#define PROFLOG_MPROF_ROWS_H

#include "decoder/mlpd/model/symbols.h"

struct mprof_row {
  guint symbol;
  uint64_t amount;
};

/* An array of struct mprof_row; free it with g_array_unref. */
GArray *mprof_rows_new (void);
void mprof_rows_add (GArray *rows, guint symbol, uint64_t amount);

/* `kind`: of the symbols. */
void mprof_rows_sort (GArray *rows, const struct symbols *symbols, enum symbol_kind kind);

#endif
