/* table-columns.c -- finds columns by their keys, picks those that are shown, checks keys. */
#include "config.h"

#include "decoder/output/table-private.h"
#include "decoder/core/suggest.h"
#include <string.h>

/* Is this what the column is called?  Times may be requested without their unit. */
static bool
is_key (const struct emitter_column *column, const char *key)
{
  if (column->key == NULL || key == NULL)
    return false;
  size_t length = strlen (key);
  return strncmp (column->key, key, length) == 0
         && (column->key[length] == 0 || strcmp (column->key + length, "_ns") == 0);
}

size_t
table_find_column (const struct table_shape *shape, const char *key)
{
  size_t i = 0;
  while (i < shape->n_columns && !is_key (&shape->columns[i], key))
    i++;
  return i;
}

size_t
table_count_known (const struct table_shape *shape, char **keys)
{
  size_t known = 0;
  for (; keys != NULL && *keys != NULL; keys++)
    known += table_find_column (shape, *keys) < shape->n_columns;
  return known;
}

/* ---- columns that are shown ---- */

size_t
table_pick_columns (const struct table_shape *shape, const struct view *view, size_t *picked,
                    struct emitter_column *columns)
{
  bool all = table_count_known (shape, view->fields) == 0;
  size_t n = 0;
  for (; all && n < shape->n_columns; n++)
    picked[n] = n;
  for (char **key = view->fields; !all && *key != NULL; key++) {
    size_t column = table_find_column (shape, *key);
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

void
table_expect_shape (const struct table_shape *shape, const struct view *view, const char *key,
                    const char *id, bool detailed, struct emitter *e)
{
  size_t picked[TABLE_COLUMNS_MAX];
  struct emitter_column columns[TABLE_COLUMNS_MAX];
  size_t n = table_pick_columns (shape, view, picked, columns);
  emitter_expect_table (e, key, id, columns, n, detailed ? shape->details : NULL);
}

void
table_expect (const struct table_shape *shape, const struct view *view, const char *id,
              struct emitter *e)
{
  table_expect_shape (shape, view, shape->key, id, view->traces, e);
  for (guint i = 0; view->traces && shape->inner != NULL && shape->inner[i] != NULL; i++) {
    char *key = g_strdup_printf ("%s.%s", shape->key, shape->inner[i]->key);
    char *ids = g_strdup_printf ("%s,%s", id, shape->key);
    table_expect_shape (shape->inner[i], view, key, ids, true, e);
    g_free (key);
    g_free (ids);
  }
}

/* ---- keys ---- */

static bool
is_known (const GPtrArray *shapes, const char *key)
{
  for (guint i = 0; i < shapes->len; i++) {
    const struct table_shape *shape = g_ptr_array_index (shapes, i);
    if (table_find_column (shape, key) < shape->n_columns)
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
