/* run-merge.c -- adds up the rows of tables by their names. */
#include "config.h"

#include "decoder/views/compare/run-merge-private.h"
#include <string.h>

/* ---- the tables that there are ---- */

static guint
count_columns (const struct merge_spec *spec)
{
  guint n = 0;
  while (n < MERGE_COLUMNS_MAX && spec->columns[n].key != NULL)
    n++;
  return n;
}

static void
free_table (void *data)
{
  struct merge_table *t = data;
  g_hash_table_unref (t->rows);
  g_ptr_array_unref (t->order);
  g_free (t);
}

static void
add_table (struct run_merge *m, const struct merge_spec *spec)
{
  struct merge_table *t = g_new0 (struct merge_table, 1);
  t->spec = spec;
  t->n = count_columns (spec);
  t->rows
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  t->order = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (m->tables, t);
}

struct run_merge *
run_merge_new (const GPtrArray *sections)
{
  struct run_merge *m = g_new0 (struct run_merge, 1);
  m->tables = g_ptr_array_new_with_free_func (free_table);
  m->texts = g_string_chunk_new (4096);
  m->name = g_string_new (NULL);
  for (const struct merge_spec *s = merge_specs; sections == NULL && s->section != NULL; s++)
    if (s->is_usual)
      add_table (m, s);
  m->sections = g_ptr_array_new ();
  for (guint s = 0; sections != NULL && s < sections->len; s++) {
    g_ptr_array_add (m->sections, sections->pdata[s]);
    m->has_figures |= merge_section_has_figures (sections->pdata[s]);
    for (const struct merge_spec *spec = merge_specs; spec->section != NULL; spec++)
      if (strcmp (spec->section, sections->pdata[s]) == 0)
        add_table (m, spec);
  }
  if (m->has_figures)
    add_table (m, &merge_figures_spec);
  return m;
}

void
run_merge_free (struct run_merge *m)
{
  g_ptr_array_unref (m->tables);
  g_ptr_array_unref (m->sections);
  g_string_chunk_free (m->texts);
  g_string_free (m->name, TRUE);
  g_free (m);
}

bool
run_merge_has (const char *section)
{
  for (const struct merge_spec *s = merge_specs; s->section != NULL; s++)
    if (strcmp (s->section, section) == 0)
      return true;
  return merge_section_has_figures (section);
}

static void
add_section (GPtrArray *sections, const char *section)
{
  if (!g_ptr_array_find_with_equal_func (sections, section, g_str_equal, NULL))
    g_ptr_array_add (sections, (gpointer) section);
}

GPtrArray *
run_merge_sections (bool usual_only)
{
  GPtrArray *sections = g_ptr_array_new ();
  for (const struct merge_spec *s = merge_specs; s->section != NULL; s++)
    if (s->is_usual || !usual_only)
      add_section (sections, s->section);
  for (const struct merge_figure *f = merge_figures; !usual_only && f->section != NULL; f++)
    add_section (sections, f->section);
  return sections;
}

/* ---- adding ---- */

static const struct emitter_any null_cell = { .type = EMIT_ANY };

/* A name is preceded by its length, or by that of none. */
static void
append_name (GString *name, const struct emitter_any *cell)
{
  if (merge_cell_is_null (cell)) {
    g_string_append_c (name, 0);
    return;
  }
  const bool is_text = cell->type == EMIT_TEXT;
  const size_t length = is_text ? strlen (cell->value.text) : sizeof cell->value.number;
  g_string_append_c (name, is_text ? 1 : 2);
  g_string_append_len (name, (const char *) &length, sizeof length);
  g_string_append_len (name, is_text ? cell->value.text : (const char *) &cell->value.number,
                       (gssize) length);
}

/* The row of a group with the names of these cells, which may be new. */
static struct merge_row *
row_of (struct run_merge *m, struct merge_table *t, guint group, const struct emitter_any *cells)
{
  g_string_truncate (m->name, 0);
  g_string_append_len (m->name, (const char *) &group, sizeof group);
  for (guint c = 0; c < t->n; c++)
    if (merge_rule_is_name (t->spec->columns[c].rule))
      append_name (m->name, &cells[c]);
  g_autoptr (GBytes) key = g_bytes_new_static (m->name->str, m->name->len);
  struct merge_row *row = g_hash_table_lookup (t->rows, key);
  if (row != NULL)
    return row;
  row = g_malloc0 (sizeof *row + t->n * sizeof *row->cells);
  row->group = group;
  row->place = t->order->len;
  for (guint c = 0; c < t->n; c++) {
    row->cells[c] = merge_rule_is_name (t->spec->columns[c].rule) && !merge_cell_is_null (&cells[c])
                        ? cells[c]
                        : null_cell;
    row->cells[c].shown = NULL;
    if (row->cells[c].type == EMIT_TEXT)
      row->cells[c].value.text = g_string_chunk_insert_const (m->texts, cells[c].value.text);
  }
  g_hash_table_insert (t->rows, g_bytes_new (m->name->str, m->name->len), row);
  g_ptr_array_add (t->order, row);
  return row;
}

/* Of any type; counters have negative values, too. */
static double
real_of (const struct emitter_any *cell)
{
  return cell->type == EMIT_REAL                 ? cell->value.real
         : emitter_record_is_amount (cell->type) ? (double) cell->value.number
                                                 : (double) cell->value.change;
}

static void
add_cell (struct emitter_any *to, enum merge_rule rule, const struct emitter_any *cell)
{
  if (merge_cell_is_null (cell) || cell->type == EMIT_TEXT || merge_rule_is_name (rule))
    return;
  if (to->type == EMIT_ANY) {
    *to = *cell;
    to->shown = NULL;
  } else if (rule == MERGE_SUM) {
    to->value.number += cell->value.number;
  } else if (to->type == cell->type && emitter_record_is_amount (to->type)) {
    to->value.number = rule == MERGE_LARGEST ? MAX (to->value.number, cell->value.number)
                                             : MIN (to->value.number, cell->value.number);
  } else if (rule == MERGE_LARGEST ? real_of (cell) > real_of (to)
                                   : real_of (cell) < real_of (to)) {
    *to = *cell;
    to->shown = NULL;
  }
}

/* A single value of a report. */
static struct emitter_any
value_of (const struct run_figures *run, const char *key)
{
  const struct emitter_record_value *v = emitter_record_value (run->record, key);
  return v != NULL && v->type == EMIT_TEXT ? (struct emitter_any){ v->type, v->value, NULL }
                                           : null_cell;
}

/* Cells of a row in the order of the columns; those that cannot be added up are null. */
static void
read_cells (const struct merge_table *t, const struct run_figures *run,
            const struct emitter_record_table *from, guint row, struct emitter_any *cells)
{
  for (guint c = 0; c < t->n; c++) {
    const struct merge_column *column = &t->spec->columns[c];
    const guint place = column->rule == MERGE_MEAN || column->rule == MERGE_SHARE
                            ? from->columns->len
                            : emitter_record_column (from, column->key);
    cells[c] = column->rule == MERGE_OF     ? value_of (run, column->part)
               : place < from->columns->len ? *emitter_record_cell (from, row, place)
                                            : null_cell;
    if (column->rule == MERGE_SUM && !emitter_record_is_amount (cells[c].type))
      cells[c] = null_cell;
  }
}

/* The row of a figure; its value is null if there was none. */
static struct merge_row *
figure_row (struct run_merge *m, guint group, const char *key)
{
  struct emitter_any cells[MERGE_FIGURE_COLUMNS] = { [MERGE_FIGURE_VALUE] = null_cell };
  cells[MERGE_FIGURE_KEY] = (struct emitter_any){ .type = EMIT_TEXT, .value.text = key };
  return row_of (m, g_ptr_array_index (m->tables, m->tables->len - 1), group, cells);
}

static void
add_figures (struct run_merge *m, guint group, const struct run_figures *run)
{
  for (const struct merge_figure *f = merge_figures; f->section != NULL; f++) {
    const struct emitter_record_value *v = emitter_record_value (run->record, f->key);
    if (v == NULL || !emitter_record_is_amount (v->type)
        || !g_ptr_array_find_with_equal_func (m->sections, f->section, g_str_equal, NULL))
      continue;
    struct emitter_any *value = &figure_row (m, group, f->key)->cells[MERGE_FIGURE_VALUE];
    if (f->rule == MERGE_SHARE)
      *value = emitter_any_number (
          EMIT_SHARE,
          emitter_share (figure_row (m, group, f->part)->cells[MERGE_FIGURE_VALUE].value.number,
                         figure_row (m, group, f->whole)->cells[MERGE_FIGURE_VALUE].value.number));
    else
      add_cell (value, f->rule, &(const struct emitter_any){ v->type, v->value, NULL });
  }
}

void
run_merge_add (struct run_merge *m, guint group, const struct run_figures *run)
{
  struct emitter_any cells[MERGE_COLUMNS_MAX];
  if (m->has_figures)
    add_figures (m, group, run);
  for (guint i = 0; i < m->tables->len - m->has_figures; i++) {
    struct merge_table *t = g_ptr_array_index (m->tables, i);
    const struct emitter_record_table *from = emitter_record_table (run->record, t->spec->table);
    for (guint row = 0; from != NULL && row < emitter_record_rows (from); row++) {
      read_cells (t, run, from, row, cells);
      struct merge_row *to = row_of (m, t, group, cells);
      for (guint c = 0; c < t->n; c++)
        add_cell (&to->cells[c], t->spec->columns[c].rule, &cells[c]);
    }
  }
}
