/* table.c -- drops, sorts and cuts rows, picks columns. */
#include "config.h"

#include "decoder/output/table.h"
#include "decoder/core/method-words.h"
#include "decoder/core/suggest.h"
#include <math.h>
#include <string.h>

/* The most columns of a table. */
#define COLUMNS_MAX 32
/* Keys that a table is sorted by at most: those requested, then its own. */
#define KEYS_MAX 16
/* The number of rows that are collected before those that will not be shown are removed: at least
 * this, and a multiple of those that will be shown. */
#define PRUNED_MIN 4096
#define PRUNED_TIMES 4

struct lazy {
  table_text *text; /* NULL: the cells are texts */
  const void *data;
};

struct sort_key {
  size_t column;
  bool up;
};

struct table {
  const struct table_shape *shape;
  const struct view *view;
  struct lazy lazy[COLUMNS_MAX];
  struct lazy made[COLUMNS_MAX]; /* of columns whose rows have texts by now */
  GArray *cells;                 /* of union emitter_value, row by row */
  GArray *ids;                   /* of uint64_t, of each row */
  GArray *order;                 /* of guint: the rows to be shown */
  guint accepted;                /* the first of them, which --filter and the like have accepted */
  uint64_t added;                /* rows, also those that were removed since */
  uint64_t removed;              /* that would be after the limit */
  bool has_values[COLUMNS_MAX];  /* columns in which one of those was not zero */
  GStringChunk *texts;           /* of cells */
  table_detail *detail;          /* NULL: rows are their cells */
  const void *detail_data;
  table_compare *ties; /* NULL: as added */
  const void *ties_data;
  struct sort_key keys[KEYS_MAX];
  size_t n_keys;
  bool has_keys;
  bool backwards; /* ties too */
};

/* Is this the name of the column?  Times may be requested without their unit. */
static bool
is_key (const struct emitter_column *column, const char *key)
{
  if (column->key == NULL || key == NULL)
    return false;
  size_t length = strlen (key);
  return strncmp (column->key, key, length) == 0
         && (column->key[length] == 0 || strcmp (column->key + length, "_ns") == 0);
}

/* The place of a column, n_columns if the table has none of this key. */
static size_t
find_column (const struct table_shape *shape, const char *key)
{
  size_t i = 0;
  while (i < shape->n_columns && !is_key (&shape->columns[i], key))
    i++;
  return i;
}

static size_t
count_known (const struct table_shape *shape, char **keys)
{
  size_t known = 0;
  for (; keys != NULL && *keys != NULL; keys++)
    known += find_column (shape, *keys) < shape->n_columns;
  return known;
}

struct table *
table_new (const struct table_shape *shape, const struct view *view)
{
  g_return_val_if_fail (shape->n_columns <= COLUMNS_MAX, NULL);
  struct table *t = g_new0 (struct table, 1);
  t->shape = shape;
  t->view = view;
  t->cells = g_array_new (FALSE, FALSE, sizeof (union emitter_value));
  t->ids = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  t->order = g_array_new (FALSE, FALSE, sizeof (guint));
  t->texts = g_string_chunk_new (4096);
  return t;
}

static void
table_free (struct table *t)
{
  g_array_free (t->cells, TRUE);
  g_array_free (t->ids, TRUE);
  g_array_free (t->order, TRUE);
  g_string_chunk_free (t->texts);
  g_free (t);
}

void
table_set_text (struct table *t, const char *column, table_text *text, const void *data)
{
  size_t i = find_column (t->shape, column);
  g_return_if_fail (i < t->shape->n_columns);
  t->lazy[i] = (struct lazy){ text, data };
}

void
table_set_detail (struct table *t, table_detail *detail, const void *data)
{
  t->detail = detail;
  t->detail_data = data;
}

void
table_set_ties (struct table *t, table_compare *compare, const void *data)
{
  t->ties = compare;
  t->ties_data = data;
}

void
table_add (struct table *t, const union emitter_value *values)
{
  table_add_id (t, t->added, values);
}

static union emitter_value *
row_at (const struct table *t, guint row)
{
  return &g_array_index (t->cells, union emitter_value, (gsize) row * t->shape->n_columns);
}

/* Makes the text of a lazy cell. */
static void
make_text (struct table *t, struct lazy lazy, union emitter_value *cell)
{
  char *text = lazy.text (lazy.data, cell->number);
  cell->text = text != NULL ? g_string_chunk_insert (t->texts, text) : NULL;
  g_free (text);
}

/* Makes the texts of a column in the first `n` rows, for uses that need them. */
static void
make_texts (struct table *t, size_t column, guint n)
{
  struct lazy lazy = t->lazy[column];
  if (lazy.text == NULL)
    return;
  for (guint i = 0; i < n; i++)
    make_text (t, lazy, &row_at (t, g_array_index (t->order, guint, i))[column]);
  t->made[column] = lazy;
  t->lazy[column].text = NULL;
}

/* ---- dropping ---- */

/* A name, or the place that goes with it (column `place`). */
static bool
is_named (const struct table *t, const union emitter_value *row, size_t name, size_t place)
{
  const struct selection *s = t->view->selection;
  if (place == t->shape->n_columns)
    return selection_accepts_name (s, row[name].text);
  return (selection_filters (s, row[name].text) || selection_filters (s, row[place].text))
         && !selection_excludes (s, row[name].text) && !selection_excludes (s, row[place].text);
}

static bool
is_selected (const struct table *t, const union emitter_value *row, size_t name, size_t place,
             size_t time, size_t bytes)
{
  const struct selection *s = t->view->selection;
  size_t none = t->shape->n_columns;
  return (time == none || row[time].number >= s->min_ns)
         && (bytes == none || row[bytes].number >= s->min_bytes)
         && (name == none || is_named (t, row, name, place));
}

static bool
chooses_by_amount (const struct table *t, size_t time, size_t bytes)
{
  const struct selection *s = t->view->selection;
  return (s->min_ns != 0 && time < t->shape->n_columns)
         || (s->min_bytes != 0 && bytes < t->shape->n_columns);
}

static void
drop_rows (struct table *t)
{
  const struct selection *s = t->view->selection;
  if (s == NULL || (s->min_ns == 0 && s->min_bytes == 0 && !selection_has_names (s)))
    return;
  size_t name
      = selection_has_names (s) ? find_column (t->shape, t->shape->name) : t->shape->n_columns;
  size_t place = find_column (t->shape, t->shape->place);
  size_t time = find_column (t->shape, t->shape->time);
  size_t bytes = find_column (t->shape, t->shape->bytes);
  if (name < t->shape->n_columns)
    make_texts (t, name, t->order->len);
  if (name < t->shape->n_columns && place < t->shape->n_columns)
    make_texts (t, place, t->order->len);
  guint kept = t->accepted;
  for (guint i = t->accepted; i < t->order->len; i++) {
    guint row = g_array_index (t->order, guint, i);
    if (is_selected (t, row_at (t, row), name, place, time, bytes))
      g_array_index (t->order, guint, kept++) = row;
  }
  if (t->view->rows != NULL && (name < t->shape->n_columns || chooses_by_amount (t, time, bytes))) {
    t->view->rows->seen += t->order->len - t->accepted;
    t->view->rows->shown += kept - t->accepted;
  }
  g_array_set_size (t->order, kept);
}

/* ---- sorting ---- */

static bool
is_signed (enum emitter_type type)
{
  return type == EMIT_CHANGE || type == EMIT_TIME || type == EMIT_NS_CHANGE;
}

/* Numbers of any type; those that are none come last. */
static double
any_number (const struct emitter_any *any)
{
  if (any == NULL || any->type == EMIT_TEXT || (any->type == EMIT_REAL && isnan (any->value.real)))
    return -INFINITY;
  if (any->type == EMIT_REAL)
    return any->value.real;
  return is_signed (any->type) ? (double) any->value.change : (double) any->value.number;
}

static int
compare_reals (double a, double b)
{
  return (a > b) - (a < b);
}

static int
compare_cells (enum emitter_type type, union emitter_value a, union emitter_value b)
{
  if (type == EMIT_ANY)
    return compare_reals (any_number (a.any), any_number (b.any));
  if (type == EMIT_REAL)
    return compare_reals (a.real, b.real);
  if (type == EMIT_TEXT) {
    if (a.text == NULL || b.text == NULL) /* those without come last */
      return (a.text == NULL) - (b.text == NULL);
    return strcmp (a.text, b.text);
  }
  if (is_signed (type))
    return (a.change > b.change) - (a.change < b.change);
  return (a.number > b.number) - (a.number < b.number);
}

static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct table *t = data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  for (size_t i = 0; i < t->n_keys; i++) {
    struct sort_key key = t->keys[i];
    int order = compare_cells (t->shape->columns[key.column].type, row_at (t, x)[key.column],
                               row_at (t, y)[key.column]);
    if (order != 0)
      return key.up ? order : -order;
  }
  int order = 0;
  if (t->ties != NULL)
    order = t->ties (t->ties_data, g_array_index (t->ids, uint64_t, x),
                     g_array_index (t->ids, uint64_t, y));
  if (order == 0)
    order = (x > y) - (x < y);
  return t->backwards ? -order : order;
}

/* Numbers the largest first; texts, addresses and times as they follow each other. */
static void
add_key (struct table *t, const char *key, bool reverse)
{
  size_t column = find_column (t->shape, key);
  if (column == t->shape->n_columns || t->n_keys == KEYS_MAX)
    return;
  enum emitter_type type = t->shape->columns[column].type;
  bool up = type == EMIT_TEXT || type == EMIT_ADDRESS || type == EMIT_TIME;
  t->keys[t->n_keys++] = (struct sort_key){ column, up != reverse };
  if (type == EMIT_TEXT)
    make_texts (t, column, t->order->len);
}

static void
choose_keys (struct table *t)
{
  if (t->has_keys)
    return;
  t->has_keys = true;
  const struct view *v = t->view;
  bool requested = count_known (t->shape, v->sort) > 0;
  for (char **key = v->sort; requested && *key != NULL; key++)
    add_key (t, *key, v->reverse);
  /* Reversed without a key: each table's own order.  With one: tables that have it. */
  bool reverse_own = v->reverse && v->sort == NULL;
  for (const char *const *key = t->shape->order; key != NULL && *key != NULL; key++)
    add_key (t, *key, reverse_own);
  t->backwards = reverse_own;
}

static void
sort_rows (struct table *t)
{
  choose_keys (t);
  if (t->n_keys > 0 || t->backwards)
    g_array_sort_with_data (t->order, compare_rows, t);
}

/* ---- adding ---- */

/* Has the column something in this row? */
static bool
has_value (enum emitter_type type, union emitter_value cell)
{
  return type == EMIT_ANY    ? cell.any != NULL
         : type == EMIT_TEXT ? cell.text != NULL
         : type == EMIT_REAL ? cell.real != 0
                             : cell.number != 0;
}

/* Rows that are shown at most; 0: all. */
static guint
row_limit (const struct table *t)
{
  return t->view->limit_whole || !t->shape->whole ? t->view->limit : 0;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;
  return (x > y) - (x < y);
}

/* Removes the rows after the limit, and their texts, so that tables of millions of rows need no
 * memory for them. */
static void
prune (struct table *t, guint limit)
{
  const guint columns = (guint) t->shape->n_columns;
  drop_rows (t);
  sort_rows (t);
  for (guint i = limit; i < t->order->len; i++) {
    const union emitter_value *row = row_at (t, g_array_index (t->order, guint, i));
    for (guint c = 0; c < columns; c++)
      t->has_values[c] |= has_value (t->shape->columns[c].type, row[c]);
  }
  t->removed += t->order->len > limit ? t->order->len - limit : 0;
  g_array_set_size (t->order, MIN (limit, t->order->len));
  /* In the order in which they were added, which is that of ties. */
  g_array_sort (t->order, compare_numbers);
  GStringChunk *texts = g_string_chunk_new (4096);
  for (guint i = 0; i < t->order->len; i++) {
    guint *row = &g_array_index (t->order, guint, i);
    union emitter_value *to = row_at (t, i);
    memmove (to, row_at (t, *row), columns * sizeof *to);
    for (guint c = 0; c < columns; c++)
      if (t->shape->columns[c].type == EMIT_TEXT && t->lazy[c].text == NULL && to[c].text != NULL)
        to[c].text = g_string_chunk_insert_const (texts, to[c].text);
    g_array_index (t->ids, uint64_t, i) = g_array_index (t->ids, uint64_t, *row);
    *row = i;
  }
  g_string_chunk_free (t->texts);
  t->texts = texts;
  t->accepted = t->order->len;
  g_array_set_size (t->ids, t->order->len);
  g_array_set_size (t->cells, t->order->len * columns);
}

void
table_add_id (struct table *t, uint64_t id, const union emitter_value *values)
{
  guint row = t->ids->len;
  t->added++;
  g_array_append_val (t->order, row);
  g_array_append_val (t->ids, id);
  g_array_append_vals (t->cells, values, (guint) t->shape->n_columns);
  union emitter_value *cells = row_at (t, row);
  for (size_t i = 0; i < t->shape->n_columns; i++)
    if (t->shape->columns[i].type == EMIT_TEXT && t->made[i].text != NULL)
      make_text (t, t->made[i], &cells[i]);
    else if (t->shape->columns[i].type == EMIT_TEXT && t->lazy[i].text == NULL
             && cells[i].text != NULL)
      cells[i].text = g_string_chunk_insert_const (t->texts, cells[i].text);
  const guint limit = row_limit (t);
  if (limit != 0 && t->ids->len >= PRUNED_MIN && t->ids->len / PRUNED_TIMES >= limit)
    prune (t, limit);
}

/* ---- writing ---- */

/* The columns that are shown, in order: their places and types. */
static size_t
pick_columns (const struct table_shape *shape, const struct view *view, size_t *picked,
              struct emitter_column *columns)
{
  bool all = count_known (shape, view->fields) == 0;
  size_t n = 0;
  for (; all && n < shape->n_columns; n++)
    picked[n] = n;
  for (char **key = view->fields; !all && *key != NULL; key++) {
    size_t column = find_column (shape, *key);
    bool again = column == shape->n_columns;
    for (size_t i = 0; i < n; i++)
      again |= picked[i] == column;
    if (!again)
      picked[n++] = column;
  }
  for (size_t i = 0; i < n; i++) {
    columns[i] = shape->columns[picked[i]];
    if (!all && columns[i].label == NULL) /* requested: people see it, too */
      columns[i].label = columns[i].key;
  }
  return n;
}

static void
expect (const struct table_shape *shape, const struct view *view, const char *key, const char *id,
        bool detailed, struct emitter *e)
{
  size_t picked[COLUMNS_MAX];
  struct emitter_column columns[COLUMNS_MAX];
  size_t n = pick_columns (shape, view, picked, columns);
  emitter_expect_table (e, key, id, columns, n, detailed ? shape->details : NULL);
}

void
table_expect (const struct table_shape *shape, const struct view *view, const char *id,
              struct emitter *e)
{
  expect (shape, view, shape->key, id, view->traces, e);
  for (guint i = 0; view->traces && shape->inner != NULL && shape->inner[i] != NULL; i++) {
    char *key = g_strdup_printf ("%s.%s", shape->key, shape->inner[i]->key);
    char *ids = g_strdup_printf ("%s,%s", id, shape->key);
    expect (shape->inner[i], view, key, ids, true, e);
    g_free (key);
    g_free (ids);
  }
}

/* The contents of rows besides their cells, of the table that is open. */
static void
expect_details (const struct table *t, struct emitter *e)
{
  const struct table_shape *shape = t->shape;
  emitter_expect_details (e, t->detail != NULL ? shape->details : NULL);
  for (guint i = 0; t->detail != NULL && shape->inner != NULL && shape->inner[i] != NULL; i++)
    expect (shape->inner[i], t->view, shape->inner[i]->key, shape->key, true, e);
}

/* A text of a row (transfer full); NULL for null. */
static char *
text_at (const struct table *t, guint row, size_t column)
{
  const struct lazy *lazy = &t->lazy[column];
  const union emitter_value cell = row_at (t, row)[column];
  return lazy->text != NULL ? lazy->text (lazy->data, cell.number) : g_strdup (cell.text);
}

/* Puts a distinction after the names that several of the first `shown` rows have. */
static void
distinguish_rows (struct table *t, guint shown)
{
  const size_t name = find_column (t->shape, t->shape->name);
  const size_t apart = find_column (t->shape, t->shape->apart);
  if (name == t->shape->n_columns || apart == t->shape->n_columns)
    return;
  GHashTable *rows = g_hash_table_new (g_str_hash, g_str_equal);
  make_texts (t, name, shown);
  for (guint i = 0; i < shown; i++) {
    const char *text = row_at (t, g_array_index (t->order, guint, i))[name].text;
    if (text != NULL)
      g_hash_table_insert (
          rows, (gpointer) text,
          GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (rows, text)) + 1));
  }
  for (guint i = 0; i < shown; i++) {
    const guint row = g_array_index (t->order, guint, i);
    union emitter_value *cell = &row_at (t, row)[name];
    if (cell->text == NULL || GPOINTER_TO_UINT (g_hash_table_lookup (rows, cell->text)) < 2)
      continue;
    char *from = text_at (t, row, apart);
    char *text = from != NULL ? g_strdup_printf ("%s [%s]", cell->text, from) : NULL;
    if (text != NULL)
      cell->text = g_string_chunk_insert (t->texts, text);
    g_free (text);
    g_free (from);
  }
  g_hash_table_destroy (rows);
}

/* The column whose names people read as words; how many there are if nobody does. */
static size_t
column_of_words (const struct table *t, const struct emitter *e)
{
  return emitter_format_is_for_people (emitter_get_format (e)) && !t->view->is_raw
                 && t->shape->method != NULL
             ? find_column (t->shape, t->shape->method)
             : t->shape->n_columns;
}

static void
write_row (const struct table *t, guint row, const size_t *picked, size_t n, size_t words,
           struct emitter *e)
{
  union emitter_value values[COLUMNS_MAX];
  char *made[COLUMNS_MAX];
  for (size_t i = 0; i < n; i++) {
    const struct lazy *lazy = &t->lazy[picked[i]];
    values[i] = row_at (t, row)[picked[i]];
    made[i] = lazy->text != NULL ? lazy->text (lazy->data, values[i].number) : NULL;
    if (lazy->text != NULL)
      values[i].text = made[i];
    if (picked[i] == words && values[i].text != NULL) {
      char *name = made[i];
      values[i].text = made[i] = method_words (values[i].text, true);
      g_free (name);
    }
  }
  emitter_open_row (e, values);
  if (t->detail != NULL)
    t->detail (t->detail_data, g_array_index (t->ids, uint64_t, row), e);
  emitter_close_row (e);
  for (size_t i = 0; i < n; i++)
    g_free (made[i]);
}

/* Has the column nothing in any of the rows? */
static bool
is_zero (const struct table *t, size_t column)
{
  const enum emitter_type type = t->shape->columns[column].type;
  bool zero = t->order->len != 0 && !t->has_values[column]
              && (type == EMIT_NUMBER || type == EMIT_NS || type == EMIT_REAL || type == EMIT_ANY
                  || type == EMIT_TEXT);
  for (guint i = 0; zero && i < t->order->len; i++)
    zero = !has_value (type, row_at (t, g_array_index (t->order, guint, i))[column]);
  return zero;
}

static void
hide_zeros (const struct table *t, const size_t *picked, struct emitter_column *columns, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (t->lazy[picked[i]].text == NULL && is_zero (t, picked[i]))
      columns[i].label = NULL;
}

void
table_write (struct table *t, struct emitter *e)
{
  size_t picked[COLUMNS_MAX];
  struct emitter_column columns[COLUMNS_MAX];
  size_t n = pick_columns (t->shape, t->view, picked, columns);
  drop_rows (t);
  sort_rows (t);
  guint shown = t->order->len;
  if (row_limit (t) != 0)
    shown = MIN (shown, row_limit (t));
  if (t->shape->apart != NULL && emitter_format_is_for_people (emitter_get_format (e)))
    distinguish_rows (t, shown);
  if (t->shape->hides_zeros && count_known (t->shape, t->view->fields) == 0)
    hide_zeros (t, picked, columns, n);
  emitter_open_table (e, t->shape->key, t->shape->title, columns, n);
  if (t->shape->grey != NULL)
    emitter_grey_rows (e, t->shape->grey, TABLE_GREY);
  if (t->shape->method != NULL)
    emitter_set_words (e, t->shape->method);
  expect_details (t, e);
  if (t->shape->aside)
    emitter_set_aside (e);
  const size_t words = column_of_words (t, e);
  for (guint i = 0; i < shown; i++)
    write_row (t, g_array_index (t->order, guint, i), picked, n, words, e);
  emitter_close_table (e, t->order->len - shown + t->removed);
  table_free (t);
}

/* ---- keys ---- */

static bool
is_known (const GPtrArray *shapes, const char *key)
{
  for (guint i = 0; i < shapes->len; i++) {
    const struct table_shape *shape = g_ptr_array_index (shapes, i);
    if (find_column (shape, key) < shape->n_columns)
      return true;
  }
  return false;
}

void
table_list_keys (const GPtrArray *shapes, GPtrArray *keys)
{
  for (guint i = 0; i < shapes->len; i++) {
    const struct table_shape *shape = g_ptr_array_index (shapes, i);
    for (size_t c = 0; c < shape->n_columns; c++) {
      const char *key = shape->columns[c].key;
      if (key != NULL && !g_ptr_array_find_with_equal_func (keys, key, g_str_equal, NULL))
        g_ptr_array_add (keys, (gpointer) key);
    }
  }
}

static bool
check_keys (const char *option, char **keys, const GPtrArray *shapes, GError **error)
{
  if (keys == NULL)
    return true;
  const char *wrong = *keys == NULL ? "" : NULL; /* a list of none */
  for (; wrong == NULL && *keys != NULL; keys++)
    if (!is_known (shapes, *keys))
      wrong = *keys;
  if (wrong == NULL)
    return true;
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  table_list_keys (shapes, known);
  g_autofree char *near = suggest_text ("", wrong, known);
  g_ptr_array_add (known, NULL);
  g_autofree char *names = g_strjoinv (", ", (char **) known->pdata);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "%s %s: no table has a column of this name; there are %s%s", option, wrong,
               names[0] != 0 ? names : "none at all", near);
  return false;
}

bool
table_check_keys (const struct view *view, const GPtrArray *shapes, GError **error)
{
  return check_keys ("--sort", view->sort, shapes, error)
         && check_keys ("--fields", view->fields, shapes, error);
}
