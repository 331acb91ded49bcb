/* emitter-cells.c -- rows that wait for the end of their table. */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include <string.h>

void
emitter_start_cells (struct emitter *e)
{
  struct emitter_table *t = e->table;
  t->cells = g_ptr_array_new_with_free_func (g_free);
  t->details = g_ptr_array_new_with_free_func (g_free);
  t->figures = g_array_new (FALSE, FALSE, sizeof (struct emitter_figure));
  t->heads = g_new0 (char *, t->n_columns + 1);
  t->out = e->out;
}

void
emitter_add_cells (struct emitter *e, const union emitter_value *values)
{
  struct emitter_table *t = e->table;
  for (size_t i = 0; i < t->n_columns; i++) {
    const struct emitter_column *c = &t->columns[i];
    char *moment = emitter_moment_text (e, c->key, c->type, values[i]);
    const struct emitter_figure figure
        = moment != NULL ? (struct emitter_figure){ .unit = FIGURE_NONE }
                         : emitter_figure (c->key, c->label, c->type, values[i]);
    g_array_append_val (t->figures, figure);
    g_ptr_array_add (t->cells, moment != NULL ? moment : emitter_cell_text (c->type, values[i]));
  }
  e->out = g_string_new (NULL);
}

void
emitter_end_cells (struct emitter *e)
{
  g_ptr_array_add (e->table->details, g_string_free (e->out, FALSE));
  e->out = e->table->out;
}

static struct emitter_figure *
figure_at (const struct emitter_table *t, guint row, size_t column)
{
  return &g_array_index (t->figures, struct emitter_figure, row * t->n_columns + column);
}

/* Gives the figures of a column one unit, if they are of one kind. */
static void
scale_column (struct emitter_table *t, size_t column)
{
  enum figure_unit unit = FIGURE_NONE;
  uint64_t largest = 0;
  for (guint row = 0; row < t->details->len; row++) {
    const struct emitter_figure *f = figure_at (t, row, column);
    if (f->unit != FIGURE_NONE && unit != FIGURE_NONE && f->unit != unit)
      return;
    unit = f->unit != FIGURE_NONE ? f->unit : unit;
    largest = MAX (largest, f->figure);
  }
  if (unit == FIGURE_NONE)
    return;
  const struct figure_scale scale = figure_choose_scale (unit, largest);
  char *const plain = t->heads[column];
  t->heads[column] = figure_head (unit, &scale, plain);
  g_free (plain);
  for (guint row = 0; row < t->details->len; row++) {
    const struct emitter_figure *f = figure_at (t, row, column);
    char **cell = (char **) &t->cells->pdata[row * t->n_columns + column];
    if (f->unit == FIGURE_NONE)
      continue;
    g_autofree char *text = figure_scaled_text (unit, &scale, f->figure);
    const char sign[] = { f->sign, 0 };
    g_free (*cell);
    *cell = g_strconcat (sign, text, NULL);
  }
}

/* A column of times of day has no unit, nor have its cells without a time. */
static void
drop_unit (struct emitter_table *t, size_t column)
{
  for (guint row = 0; row < t->details->len; row++)
    if (figure_at (t, row, column)->unit != FIGURE_NONE)
      return;
  static const char *const units[] = { ", ms", " ms" };
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_suffix (t->heads[column], units[i]))
      t->heads[column][strlen (t->heads[column]) - strlen (units[i])] = 0;
}

void
emitter_scale_cells (struct emitter *e)
{
  struct emitter_table *t = e->table;
  for (size_t i = 0; i < t->n_columns; i++) {
    t->heads[i] = g_strdup (t->columns[i].label != NULL ? t->columns[i].label : "");
    if (e->style.has_units && t->columns[i].label != NULL)
      scale_column (t, i);
    if (e->has_clock)
      drop_unit (t, i);
  }
}

bool *
emitter_shown_columns (const struct emitter_table *t)
{
  bool *shown = g_new (bool, t->n_columns);
  for (size_t i = 0; i < t->n_columns; i++) {
    shown[i] = t->columns[i].type != EMIT_TEXT;
    for (guint row = 0; !shown[i] && row < t->details->len; row++)
      shown[i] = t->cells->pdata[row * t->n_columns + i] != NULL;
    shown[i] &= t->columns[i].label != NULL;
  }
  return shown;
}

void
emitter_free_cells (struct emitter *e)
{
  g_ptr_array_free (e->table->cells, TRUE);
  g_ptr_array_free (e->table->details, TRUE);
  g_array_free (e->table->figures, TRUE);
  g_strfreev (e->table->heads);
}

bool
emitter_row_is_grey (const struct emitter_table *t, guint row)
{
  for (size_t i = 0; i < t->n_columns && t->grey_column != NULL; i++)
    if (g_strcmp0 (t->columns[i].key, t->grey_column) == 0)
      return g_strcmp0 (t->cells->pdata[row * t->n_columns + i], t->grey_text) == 0;
  return false;
}
