/* mprof-rows.c -- sorts rows. */
#include "config.h"

#include "decoder/views/mprof/mprof.h"

GArray *
mprof_rows_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (struct mprof_row));
}

void
mprof_rows_add (GArray *rows, guint symbol, uint64_t amount)
{
  const struct mprof_row row = { symbol, amount };
  g_array_append_val (rows, row);
}

/* The data for a comparison of the names of rows. */
struct row_names {
  const struct symbols *symbols;
  enum symbol_kind kind;
};

static int
compare_rows (const void *a, const void *b, void *data)
{
  const struct mprof_row *const x = a, *const y = b;
  const struct row_names *names = data;
  if (x->amount != y->amount)
    return x->amount < y->amount ? 1 : -1;
  return symbols_compare (names->symbols, names->kind, x->symbol, y->symbol);
}

void
mprof_rows_sort (GArray *rows, const struct symbols *symbols, enum symbol_kind kind)
{
  struct row_names names = { symbols, kind };
  g_array_sort_with_data (rows, compare_rows, &names);
}

GArray *
mprof_rows_of_types (const struct mprof_report *r, const GArray *classes)
{
  GArray *rows = mprof_rows_new ();
  for (guint i = 0; i < classes->len; i++) {
    const struct type_sum *sum = &g_array_index (classes, struct type_sum, i);
    if (sum->objects != 0)
      mprof_rows_add (rows, i,
                      r->view->type_order == MPROF_TYPES_BY_COUNT ? sum->objects : sum->bytes);
  }
  mprof_rows_sort (rows, &r->s->symbols, SYMBOL_CLASS);
  return rows;
}
