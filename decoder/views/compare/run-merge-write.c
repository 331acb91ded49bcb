/* run-merge-write.c -- writes the tables that were added up. */
#include "config.h"

#include "decoder/views/compare/run-merge-private.h"
#include "decoder/views/compare/run-merge-write.h"
#include <string.h>

/* The place of the column with the group: before the first name. */
static guint
place_of_group (const struct merge_spec *spec)
{
  guint place = 0;
  while (!merge_rule_is_name (spec->columns[place].rule))
    place++;
  return place;
}

/* Sorted by the first amount, unless the names come first, as of tables of few rows. */
static const struct table_shape *
make_shape (struct merge_table *t, const char *group_key, const char *group_label)
{
  const guint at = place_of_group (t->spec);
  guint n = 0;
  t->shape = (struct table_shape){ .columns = t->columns, .hides_zeros = true };
  for (guint c = 0; c < t->n; c++) {
    const struct merge_column *column = &t->spec->columns[c];
    if (c == at && group_key != NULL)
      t->columns[n++] = (struct emitter_column){ group_key, group_label, EMIT_TEXT };
    t->columns[n++] = (struct emitter_column){ column->key, column->label, column->type };
    if (column->rule == MERGE_NAME)
      t->shape.name = column->key; /* the last one */
    if (column->rule == MERGE_SUM && t->shape.time == NULL && g_str_has_suffix (column->key, "_ns"))
      t->shape.time = column->type == EMIT_NS ? column->key : NULL;
    if (column->rule == MERGE_SUM && strcmp (column->key, "bytes") == 0)
      t->shape.bytes = column->key;
  }
  const char *dot = strchr (t->spec->table, '.');
  t->shape.key = dot != NULL ? dot + 1 : t->spec->table;
  t->shape.title = t->spec->title;
  t->shape.n_columns = n;
  t->sorted[0] = at != 0 ? t->spec->columns[0].key : NULL;
  t->shape.order = t->sorted;
  return &t->shape;
}

GPtrArray *
run_merge_shapes (const struct run_merge *m, const char *group_key)
{
  GPtrArray *shapes = g_ptr_array_new ();
  for (guint i = 0; i < m->tables->len; i++)
    g_ptr_array_add (shapes, (gpointer) make_shape (m->tables->pdata[i], group_key, NULL));
  return shapes;
}

/* Numbers in ascending order; null comes last. */
static int
compare_keys (const struct emitter_any *a, const struct emitter_any *b)
{
  if (merge_cell_is_null (a) || merge_cell_is_null (b))
    return (int) merge_cell_is_null (a) - (int) merge_cell_is_null (b);
  return (a->value.number > b->value.number) - (a->value.number < b->value.number);
}

/* Of tables that begin with numbers that are names: by groups as they came, then by numbers that
 * are names. */
static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct merge_table *t = data;
  const struct merge_row *x = *(const struct merge_row *const *) a,
                         *y = *(const struct merge_row *const *) b;
  int order = (x->group > y->group) - (x->group < y->group);
  for (guint c = 0; c < t->n && order == 0; c++)
    if (t->spec->columns[c].rule == MERGE_KEY)
      order = compare_keys (&x->cells[c], &y->cells[c]);
  return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* The sum of a row in another column; 0: null. */
static uint64_t
sum_of (const struct merge_table *t, const struct merge_row *row, const char *key)
{
  for (guint c = 0; c < t->n; c++)
    if (strcmp (t->spec->columns[c].key, key) == 0)
      return row->cells[c].type != EMIT_ANY ? row->cells[c].value.number : 0;
  return 0;
}

static void
compute (const struct merge_table *t, struct merge_row *row)
{
  for (guint c = 0; c < t->n; c++) {
    const struct merge_column *column = &t->spec->columns[c];
    if (column->rule != MERGE_MEAN && column->rule != MERGE_SHARE)
      continue;
    const uint64_t part = sum_of (t, row, column->part), whole = sum_of (t, row, column->whole);
    row->cells[c] = emitter_any_number (column->type, column->rule == MERGE_SHARE
                                                          ? emitter_share (part, whole)
                                                      : whole != 0 ? part / whole
                                                                   : 0);
  }
}

static void
put_row (const struct merge_table *t, struct merge_row *row, const char *group, struct table *to)
{
  union emitter_value values[MERGE_COLUMNS_MAX + 1];
  const guint at = place_of_group (t->spec);
  const bool has_group = t->shape.n_columns > t->n;
  guint n = 0;
  compute (t, row);
  for (guint c = 0; c < t->n; c++) {
    const struct emitter_any *cell = &row->cells[c];
    if (c == at && has_group)
      values[n++].text = group;
    if (t->spec->columns[c].type == EMIT_ANY)
      values[n++].any = merge_cell_is_null (cell) ? NULL : cell;
    else if (t->spec->columns[c].type == EMIT_TEXT)
      values[n++].text = merge_cell_is_null (cell) ? NULL : cell->value.text;
    else
      values[n++].number = merge_cell_is_null (cell) ? 0 : cell->value.number;
  }
  table_add (to, values);
}

static void
put_table (struct merge_table *t, struct emitter *e, const struct view *view,
           const GPtrArray *groups)
{
  struct table *table = table_new (&t->shape, view);
  if (t->sorted[0] == NULL)
    g_ptr_array_sort_with_data (t->order, compare_rows, t);
  for (guint i = 0; i < t->order->len; i++) {
    struct merge_row *row = g_ptr_array_index (t->order, i);
    put_row (t, row, g_ptr_array_index (groups, row->group), table);
  }
  table_write (table, e);
}

/* The object that a table lies in: "gc" of gc.generations; NULL: none. */
static char *
object_of (const struct merge_table *t)
{
  const char *dot = strchr (t->spec->table, '.');
  return dot != NULL ? g_strndup (t->spec->table, (gsize) (dot - t->spec->table)) : NULL;
}

/* The first table with rows of those that lie in the object of this one: it names the object. */
static const struct merge_table *
heading_of (const struct run_merge *m, guint i, const char *object)
{
  for (; i < m->tables->len; i++) {
    const struct merge_table *t = g_ptr_array_index (m->tables, i);
    g_autofree char *other = object_of (t);
    if (g_strcmp0 (object, other) != 0)
      return NULL;
    if (t->order->len != 0)
      return t;
  }
  return NULL;
}

void
run_merge_write (struct run_merge *m, struct emitter *e, const struct view *view,
                 const char *group_key, const char *group_label, const GPtrArray *groups)
{
  g_autofree char *open = NULL;
  const struct merge_table *heading = NULL;
  for (guint i = 0; i < m->tables->len; i++) {
    struct merge_table *t = g_ptr_array_index (m->tables, i);
    g_autofree char *object = object_of (t);
    const bool is_other = g_strcmp0 (open, object) != 0;
    if (is_other && open != NULL)
      emitter_close (e);
    if (is_other && object != NULL) {
      heading = heading_of (m, i, object);
      emitter_open (e, object, heading != NULL ? heading->spec->title : NULL);
    }
    make_shape (t, group_key, group_label);
    if (object != NULL && t == heading)
      t->shape.title = NULL;
    put_table (t, e, view, groups);
    g_free (open);
    open = g_steal_pointer (&object);
  }
  if (open != NULL)
    emitter_close (e);
}
