/* emitter-cells.c -- rows that wait for the end of their table. */
#include "config.h"

#include "decoder/views/emitter-ops.h"

void
emitter_start_cells (struct emitter *e)
{
  struct emitter_table *t = e->table;
  t->cells = g_ptr_array_new_with_free_func (g_free);
  t->details = g_ptr_array_new_with_free_func (g_free);
  t->out = e->out;
}

void
emitter_add_cells (struct emitter *e, const union emitter_value *values)
{
  struct emitter_table *t = e->table;
  for (size_t i = 0; i < t->n_columns; i++)
    g_ptr_array_add (t->cells, emitter_cell_text (t->columns[i].type, values[i]));
  e->out = g_string_new (NULL);
}

void
emitter_end_cells (struct emitter *e)
{
  g_ptr_array_add (e->table->details, g_string_free (e->out, FALSE));
  e->out = e->table->out;
}

void
emitter_free_cells (struct emitter *e)
{
  g_ptr_array_free (e->table->cells, TRUE);
  g_ptr_array_free (e->table->details, TRUE);
}
