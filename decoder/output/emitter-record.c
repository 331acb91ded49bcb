/* emitter-record.c -- records the figures that other formats print. */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "decoder/output/emitter-record.h"
#include <string.h>

/* An object or list that is open. */
struct level {
  gsize path_length;    /* of the path around it */
  guint values, tables; /* that there were before it */
  bool is_list;
  bool is_incomplete; /* it says so */
};

struct emitter_record {
  GArray *values;    /* of struct emitter_record_value */
  GPtrArray *tables; /* of struct emitter_record_table */
  GArray *levels;    /* of struct level */
  GString *path;
  GStringChunk *texts;
  struct emitter_record_table *open; /* of `tables`: it gets rows; NULL: none does */
  guint rows;                        /* that are open */
};

static void
clear_value (void *data)
{
  g_free (((struct emitter_record_value *) data)->key);
}

static void
clear_column (void *data)
{
  g_free (((struct emitter_record_column *) data)->key);
}

static void
free_table (void *data)
{
  struct emitter_record_table *table = data;
  g_free (table->key);
  g_array_unref (table->columns);
  g_array_unref (table->cells);
  g_free (table);
}

struct emitter_record *
emitter_record_new (void)
{
  struct emitter_record *r = g_new0 (struct emitter_record, 1);
  r->values = g_array_new (FALSE, FALSE, sizeof (struct emitter_record_value));
  g_array_set_clear_func (r->values, clear_value);
  r->tables = g_ptr_array_new_with_free_func (free_table);
  r->levels = g_array_new (FALSE, FALSE, sizeof (struct level));
  r->path = g_string_new (NULL);
  r->texts = g_string_chunk_new (4096);
  return r;
}

void
emitter_record_free (struct emitter_record *r)
{
  g_array_unref (r->values);
  g_ptr_array_unref (r->tables);
  g_array_unref (r->levels);
  g_string_free (r->path, TRUE);
  g_string_chunk_free (r->texts);
  g_free (r);
}

struct emitter *
emitter_new_record (struct emitter_record *record)
{
  struct emitter *e = emitter_new (EMITTER_JSON, NULL);
  e->ops = &emitter_record_ops;
  e->record = record;
  return e;
}

/* ---- objects and lists ---- */

static char *
key_here (const struct emitter_record *r, const char *key)
{
  return g_strconcat (r->path->str, r->path->len != 0 ? "." : "", key, NULL);
}

static struct level *
last_level (const struct emitter_record *r)
{
  return r->levels->len != 0 ? &g_array_index (r->levels, struct level, r->levels->len - 1) : NULL;
}

static void
record_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  struct emitter_record *r = e->record;
  const struct level level = { .path_length = r->path->len,
                               .values = r->values->len,
                               .tables = r->tables->len,
                               .is_list = bracket == '[' };
  (void) title;
  if (key != NULL && r->path->len != 0)
    g_string_append_c (r->path, '.');
  g_string_append (r->path, key != NULL ? key : "");
  g_array_append_val (r->levels, level);
}

static void
forget (struct emitter_record *r, guint first_value, guint end_value, guint first_table,
        guint end_table)
{
  if (end_value > first_value)
    g_array_remove_range (r->values, first_value, end_value - first_value);
  if (end_table > first_table)
    g_ptr_array_remove_range (r->tables, first_table, end_table - first_table);
}

/* An object of a list replaces the one before, unless it is incomplete. */
static void
record_close (struct emitter *e, char bracket)
{
  struct emitter_record *r = e->record;
  const struct level level = *last_level (r);
  (void) bracket;
  g_array_set_size (r->levels, r->levels->len - 1);
  g_string_truncate (r->path, level.path_length);
  const struct level *const around = last_level (r);
  if (around == NULL || !around->is_list)
    return;
  if (level.is_incomplete)
    forget (r, level.values, r->values->len, level.tables, r->tables->len);
  else
    forget (r, around->values, level.values, around->tables, level.tables);
}

/* ---- values ---- */

static union emitter_value
copy_value (struct emitter_record *r, enum emitter_type type, union emitter_value value)
{
  if (type == EMIT_TEXT && value.text != NULL)
    value.text = g_string_chunk_insert_const (r->texts, value.text);
  return value;
}

static void
record_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
              union emitter_value value)
{
  struct emitter_record *r = e->record;
  (void) label;
  if (key == NULL || r->rows != 0)
    return;
  if (type != EMIT_ANY || value.any != NULL)
    emitter_resolve_any (&type, &value);
  const struct emitter_record_value recorded
      = { .key = key_here (r, key), .type = type, .value = copy_value (r, type, value) };
  g_array_append_val (r->values, recorded);
}

static void
record_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  struct level *const level = last_level (e->record);
  (void) label;
  if (level != NULL && g_strcmp0 (key, "complete") == 0)
    level->is_incomplete |= !truth;
}

static void
record_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  (void) e;
  (void) key;
  (void) label;
  (void) texts;
}

static void
record_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  record_texts (e, key, NULL, texts);
}

static void
record_note (struct emitter *e, const char *text)
{
  (void) e;
  (void) text;
}

/* ---- tables ---- */

static struct emitter_record_table *
add_table (struct emitter_record *r, const char *key, const struct emitter_column *columns,
           size_t n_columns)
{
  struct emitter_record_table *t = g_new0 (struct emitter_record_table, 1);
  t->key = key_here (r, key);
  t->columns = g_array_new (FALSE, FALSE, sizeof (struct emitter_record_column));
  g_array_set_clear_func (t->columns, clear_column);
  t->cells = g_array_new (FALSE, FALSE, sizeof (struct emitter_any));
  for (size_t i = 0; i < n_columns; i++)
    if (columns[i].key != NULL) {
      const struct emitter_record_column column
          = { .key = g_strdup (columns[i].key), .type = columns[i].type };
      g_array_append_val (t->columns, column);
    }
  g_ptr_array_add (r->tables, t);
  return t;
}

static void
record_open_table (struct emitter *e, const char *key)
{
  struct emitter_record *r = e->record;
  if (r->rows == 0)
    r->open = add_table (r, key, e->table->columns, e->table->n_columns);
}

static void
record_open_row (struct emitter *e, const union emitter_value *values)
{
  struct emitter_record *r = e->record;
  if (r->rows++ != 0)
    return;
  struct emitter_record_table *t = r->open;
  for (size_t i = 0; i < e->table->n_columns; i++) {
    struct emitter_any cell = { .type = e->table->columns[i].type, .value = values[i] };
    if (e->table->columns[i].key == NULL)
      continue;
    emitter_resolve_any (&cell.type, &cell.value);
    cell.value = copy_value (r, cell.type, cell.value);
    g_array_append_val (t->cells, cell);
  }
}

static void
record_close_row (struct emitter *e)
{
  e->record->rows--;
}

static void
record_close_table (struct emitter *e, uint64_t more)
{
  (void) more;
  if (e->record->rows == 0)
    e->record->open = NULL;
}

/* The columns of tables are known where a list has no objects.  Those within rows are left out. */
static void
record_expect_table (struct emitter *e, const char *key, const char *id,
                     const struct emitter_column *columns, size_t n_columns,
                     const char *const *details)
{
  (void) id;
  (void) details;
  if (e->record->rows == 0 && e->record->open == NULL)
    add_table (e->record, key, columns, n_columns);
}

const struct emitter_ops emitter_record_ops = {
  .open = record_open,
  .close = record_close,
  .value = record_value,
  .truth = record_truth,
  .texts = record_texts,
  .lines = record_lines,
  .note = record_note,
  .open_table = record_open_table,
  .open_row = record_open_row,
  .close_row = record_close_row,
  .close_table = record_close_table,
  .expect_table = record_expect_table,
};

/* ---- the record ---- */

const struct emitter_record_value *
emitter_record_value (const struct emitter_record *r, const char *key)
{
  for (guint i = 0; i < r->values->len; i++) {
    const struct emitter_record_value *value
        = &g_array_index (r->values, struct emitter_record_value, i);
    if (strcmp (value->key, key) == 0)
      return value;
  }
  return NULL;
}

const struct emitter_record_table *
emitter_record_table (const struct emitter_record *r, const char *key)
{
  for (guint i = 0; i < r->tables->len; i++) {
    const struct emitter_record_table *table = g_ptr_array_index (r->tables, i);
    if (strcmp (table->key, key) == 0)
      return table;
  }
  return NULL;
}

const GArray *
emitter_record_values (const struct emitter_record *r)
{
  return r->values;
}

const GPtrArray *
emitter_record_tables (const struct emitter_record *r)
{
  return r->tables;
}

guint
emitter_record_rows (const struct emitter_record_table *t)
{
  return t->columns->len != 0 ? t->cells->len / t->columns->len : 0;
}

const struct emitter_any *
emitter_record_cell (const struct emitter_record_table *t, guint row, guint column)
{
  return &g_array_index (t->cells, struct emitter_any, row * t->columns->len + column);
}

guint
emitter_record_column (const struct emitter_record_table *t, const char *key)
{
  guint i = 0;
  while (i < t->columns->len
         && strcmp (g_array_index (t->columns, struct emitter_record_column, i).key, key) != 0)
    i++;
  return i;
}

bool
emitter_record_is_amount (enum emitter_type type)
{
  return type == EMIT_NUMBER || type == EMIT_NS || type == EMIT_SHARE;
}
