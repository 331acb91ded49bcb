/* run-merge.c -- adds up the rows of tables by their names, and writes them. */
#include "config.h"

#include "decoder/output/emitter.h"
#include "decoder/output/table.h"
#include "decoder/views/compare/merges.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"
#include <string.h>

/* ---- the sums of results.def ---- */

/* Columns of a table at most. */
#define MERGE_COLUMNS_MAX 14

struct merge_column {
  enum result_rule rule;
  const char *key, *head;
  const char *part, *whole; /* of MEAN and SHARE; the value of OF */
};

/* A table. */
struct merge_spec {
  struct result_table table;
  const char *title;
  bool is_usual;
  struct merge_column columns[MERGE_COLUMNS_MAX]; /* up to one without a key, or all */
};

enum { MERGE_FIGURE_KEY, MERGE_FIGURE_VALUE, MERGE_FIGURE_COLUMNS };

/* Do rows that agree in columns of this rule belong together? */
static inline bool
merge_rule_is_name (enum result_rule rule)
{
  return rule == RESULT_NAME || rule == RESULT_KEY || rule == RESULT_OF;
}

/* The head is that of the report. */
static const char own_head[] = "";

#define YES true
#define NO false
#define AS(head_, rule_, key_, ...)                                                                \
  {                                                                                                \
    .rule = RESULT_##rule_, .key = #key_, .head = head_, __VA_ARGS__                               \
  }
#define NAME(key) AS (own_head, NAME, key)
#define KEY(key) AS (own_head, KEY, key)
#define SUM(key) AS (own_head, SUM, key)
#define LARGEST(key) AS (own_head, LARGEST, key)
#define MEAN(key, part, whole) AS (own_head, MEAN, key, #part, #whole)
#define SHARE(key, part, whole) AS (own_head, SHARE, key, #part, #whole)

/* Up to one without a title. */
static const struct merge_spec merge_specs[] = {
#define SUMS(section, key, title, is_usual, ...)                                                   \
  { { #section, key }, title, is_usual, { __VA_ARGS__ } },
#include "decoder/views/results.def"
  { .title = NULL },
};

/* The table of figures: its key and value. */
static const struct merge_spec merge_figures_spec = {
  { NULL, "figures" },
  "Figures",
  false,
  { AS ("Figure", NAME, key), AS ("Value", SUM, value) },
};

/* A row: the cells of its columns.  EMIT_ANY: null. */
struct merge_row {
  guint group;
  guint place; /* how many there were before */
  struct emitter_any cells[];
};

struct merge_table {
  const struct merge_spec *spec;
  guint n;                                          /* columns */
  GHashTable *rows;                                 /* group and names -> struct merge_row */
  GPtrArray *order;                                 /* of struct merge_row */
  struct emitter_column columns[MERGE_COLUMNS_MAX]; /* of the spec */
  struct table_shape shape;
  struct emitter_column shown[MERGE_COLUMNS_MAX + 1]; /* with the group's */
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

/* NULL: the shape has no such column. */
static const struct emitter_column *
find_column (const struct table_shape *shape, const char *key)
{
  for (size_t i = 0; i < shape->n_columns; i++)
    if (g_strcmp0 (shape->columns[i].key, key) == 0)
      return &shape->columns[i];
  return NULL;
}

/* The head is that of the first report with the column; the type is that of the cells if reports
 * differ, or some lack the column. */
static struct emitter_column
column_of (const GPtrArray *shapes, const struct merge_column *column)
{
  const bool is_text = column->rule == RESULT_NAME || column->rule == RESULT_OF;
  const struct emitter_column *first = NULL;
  bool has_one_type = column->rule != RESULT_KEY && shapes->len != 0;
  for (guint i = 0; i < shapes->len; i++) {
    const struct emitter_column *found = find_column (shapes->pdata[i], column->key);
    first = first != NULL ? first : found;
    has_one_type &= found != NULL && found->type == first->type;
  }
  return (struct emitter_column){ column->key,
                                  column->head != own_head ? column->head
                                  : first != NULL          ? first->label
                                                           : NULL,
                                  is_text        ? EMIT_TEXT
                                  : has_one_type ? first->type
                                                 : EMIT_ANY };
}

static const struct section *const *const reports[] = { report_sections, ghc_report_sections };

static void
set_columns (struct merge_table *t)
{
  g_autoptr (GPtrArray) shapes = g_ptr_array_new ();
  for (size_t r = 0; r < G_N_ELEMENTS (reports); r++)
    for (guint i = 0; reports[r][i] != NULL; i++)
      g_ptr_array_extend_and_steal (shapes, section_shapes (reports[r][i], &t->spec->table));
  for (guint c = 0; c < t->n; c++)
    t->columns[c] = column_of (shapes, &t->spec->columns[c]);
}

static void
add_table (struct run_merge *m, const struct merge_spec *spec)
{
  struct merge_table *t = g_new0 (struct merge_table, 1);
  t->spec = spec;
  t->n = count_columns (spec);
  set_columns (t);
  t->rows
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  t->order = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (m->tables, t);
}

static bool
has_figures (const char *section)
{
  for (enum result i = 0; i < RESULTS; i++)
    if (result_values[i].rule != RESULT_NONE && result_is_in (i, section))
      return true;
  return false;
}

static bool
has_tables (const char *section, bool usual_only)
{
  for (const struct merge_spec *s = merge_specs; s->title != NULL; s++)
    if (strcmp (s->table.section, section) == 0 && (s->is_usual || !usual_only))
      return true;
  return false;
}

bool
run_merge_has (const char *section)
{
  return has_tables (section, false) || has_figures (section);
}

GPtrArray *
run_merge_sections (bool usual_only)
{
  GPtrArray *keys = g_ptr_array_new ();
  for (size_t r = 0; r < G_N_ELEMENTS (reports); r++)
    for (guint i = 0; reports[r][i] != NULL; i++) {
      const char *key = reports[r][i]->key;
      if ((usual_only ? has_tables (key, true) : run_merge_has (key))
          && !g_ptr_array_find_with_equal_func (keys, key, g_str_equal, NULL))
        g_ptr_array_add (keys, (gpointer) key);
    }
  return keys;
}

struct run_merge *
run_merge_new (const GPtrArray *sections)
{
  struct run_merge *m = g_new0 (struct run_merge, 1);
  g_autoptr (GPtrArray) usual = run_merge_sections (true);
  const GPtrArray *keys = sections != NULL ? sections : usual;
  m->tables = g_ptr_array_new_with_free_func (free_table);
  m->texts = g_string_chunk_new (4096);
  m->name = g_string_new (NULL);
  m->sections = g_ptr_array_new ();
  for (guint i = 0; i < keys->len; i++) {
    for (const struct merge_spec *s = merge_specs; s->title != NULL; s++)
      if (strcmp (s->table.section, keys->pdata[i]) == 0 && (s->is_usual || sections != NULL))
        add_table (m, s);
    if (sections != NULL && has_figures (keys->pdata[i])) {
      g_ptr_array_add (m->sections, keys->pdata[i]);
      m->has_figures = true;
    }
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
add_cell (struct emitter_any *to, enum result_rule rule, const struct emitter_any *cell)
{
  if (merge_cell_is_null (cell) || cell->type == EMIT_TEXT || merge_rule_is_name (rule))
    return;
  if (to->type == EMIT_ANY) {
    *to = *cell;
    to->shown = NULL;
  } else if (rule == RESULT_SUM) {
    to->value.number += cell->value.number;
  } else if (to->type == cell->type && emitter_record_is_amount (to->type)) {
    to->value.number = rule == RESULT_LARGEST ? MAX (to->value.number, cell->value.number)
                                              : MIN (to->value.number, cell->value.number);
  } else if (rule == RESULT_LARGEST ? real_of (cell) > real_of (to)
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
    const guint place = column->rule == RESULT_MEAN || column->rule == RESULT_SHARE
                            ? from->columns->len
                            : emitter_record_column (from, column->key);
    cells[c] = column->rule == RESULT_OF    ? value_of (run, column->part)
               : place < from->columns->len ? *emitter_record_cell (from, row, place)
                                            : null_cell;
    if (column->rule == RESULT_SUM && !emitter_record_is_amount (cells[c].type))
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

static bool
is_added (const struct run_merge *m, enum result figure)
{
  for (guint i = 0; i < m->sections->len; i++)
    if (result_is_in (figure, m->sections->pdata[i]))
      return true;
  return false;
}

static void
add_figures (struct run_merge *m, guint group, const struct run_figures *run)
{
  for (enum result i = 0; i < RESULTS; i++) {
    const struct result_value *f = &result_values[i];
    const struct emitter_record_value *v = f->rule != RESULT_NONE && is_added (m, i)
                                               ? emitter_record_value (run->record, f->key)
                                               : NULL;
    if (v == NULL || !emitter_record_is_amount (v->type))
      continue;
    struct emitter_any *value = &figure_row (m, group, f->key)->cells[MERGE_FIGURE_VALUE];
    if (f->rule == RESULT_SHARE)
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
    const struct emitter_record_table *from
        = emitter_record_table (run->record, t->spec->table.key);
    for (guint row = 0; from != NULL && row < emitter_record_rows (from); row++) {
      read_cells (t, run, from, row, cells);
      struct merge_row *to = row_of (m, t, group, cells);
      for (guint c = 0; c < t->n; c++)
        add_cell (&to->cells[c], t->spec->columns[c].rule, &cells[c]);
    }
  }
}

/* ---- writing ---- */

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
  t->shape = (struct table_shape){ .columns = t->shown, .hides_zeros = true };
  for (guint c = 0; c < t->n; c++) {
    const struct merge_column *column = &t->spec->columns[c];
    if (c == at && group_key != NULL)
      t->shown[n++] = (struct emitter_column){ group_key, group_label, EMIT_TEXT };
    t->shown[n++] = t->columns[c];
    if (column->rule == RESULT_NAME)
      t->shape.name = column->key; /* the last one */
    if (column->rule == RESULT_SUM && t->shape.time == NULL
        && g_str_has_suffix (column->key, "_ns"))
      t->shape.time = t->columns[c].type == EMIT_NS ? column->key : NULL;
    if (column->rule == RESULT_SUM && strcmp (column->key, "bytes") == 0)
      t->shape.bytes = column->key;
  }
  const char *dot = strchr (t->spec->table.key, '.');
  t->shape.key = dot != NULL ? dot + 1 : t->spec->table.key;
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
    if (t->spec->columns[c].rule == RESULT_KEY)
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
    if (column->rule != RESULT_MEAN && column->rule != RESULT_SHARE)
      continue;
    const uint64_t part = sum_of (t, row, column->part), whole = sum_of (t, row, column->whole);
    row->cells[c] = emitter_any_number (t->columns[c].type, column->rule == RESULT_SHARE
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
    if (t->columns[c].type == EMIT_ANY)
      values[n++].any = merge_cell_is_null (cell) ? NULL : cell;
    else if (t->columns[c].type == EMIT_TEXT)
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

/* The object that a table lies in: "gc" of gc.generations, as long as the program runs, as emitters
 * need it until the object is closed; NULL: none. */
static const char *
object_of (const struct merge_table *t)
{
  const char *dot = strchr (t->spec->table.key, '.');
  g_autofree char *object
      = dot != NULL ? g_strndup (t->spec->table.key, (gsize) (dot - t->spec->table.key)) : NULL;
  return g_intern_string (object);
}

/* The first table with rows of those that lie in the object of this one: it names the object. */
static const struct merge_table *
heading_of (const struct run_merge *m, guint i, const char *object)
{
  for (; i < m->tables->len; i++) {
    const struct merge_table *t = g_ptr_array_index (m->tables, i);
    if (g_strcmp0 (object, object_of (t)) != 0)
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
  const char *open = NULL;
  const struct merge_table *heading = NULL;
  for (guint i = 0; i < m->tables->len; i++) {
    struct merge_table *t = g_ptr_array_index (m->tables, i);
    const char *object = object_of (t);
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
    open = object;
  }
  if (open != NULL)
    emitter_close (e);
}
