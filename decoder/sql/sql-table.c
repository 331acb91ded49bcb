/* sql-table.c -- tables and their columns. */
#include "config.h"

#include "decoder/sql/sql-table.h"
#include <string.h>

static void
clear_column (void *data)
{
  struct sql_column *column = data;
  g_free (column->name);
  g_free (column->doc);
}

struct sql_table *
sql_table_new (const char *name, const char *doc, bool of_mono, bool of_ghc,
               const struct sql_cursor_class *cursor)
{
  struct sql_table *table = g_new0 (struct sql_table, 1);
  /* SQL has no '-' in names. */
  table->name = g_strdelimit (g_strdup (name), "-.", '_');
  table->doc = g_strdup (doc);
  table->of_mono = of_mono;
  table->of_ghc = of_ghc;
  table->cursor = cursor;
  table->columns = g_array_new (FALSE, TRUE, sizeof (struct sql_column));
  g_array_set_clear_func (table->columns, clear_column);
  sql_table_add (table, "log", "TEXT", SQL_ROLE_LOG, 0, "name of the log");
  return table;
}

void
sql_table_free (struct sql_table *table)
{
  g_array_unref (table->columns);
  g_free (table->name);
  g_free (table->doc);
  g_free (table);
}

struct sql_table *
sql_table_find (const GPtrArray *tables, const char *name)
{
  for (guint i = 0; i < tables->len; i++) {
    struct sql_table *table = g_ptr_array_index (tables, i);
    if (g_ascii_strcasecmp (table->name, name) == 0)
      return table;
  }
  return NULL;
}

struct sql_column *
sql_table_add (struct sql_table *table, const char *name, const char *type, enum sql_role role,
               unsigned source, const char *doc)
{
  const struct sql_column column = {
    .name = g_strdup (name), .type = type, .role = role, .doc = g_strdup (doc), .source = source
  };
  g_array_append_val (table->columns, column);
  return &g_array_index (table->columns, struct sql_column, table->columns->len - 1);
}

void
sql_table_add_all (struct sql_table *table, const struct sql_column_spec *columns, gsize n)
{
  for (gsize i = 0; i < n; i++)
    sql_table_add (table, columns[i].name, columns[i].type, columns[i].role, columns[i].source,
                   columns[i].doc);
}

/* Is the column of this number used? */
static bool
sql_request_uses (const struct sql_request *request, guint column)
{
  return (request->columns >> MIN (column, 63) & 1) != 0;
}

bool
sql_table_is_of (const struct sql_table *table, const struct sql_log *log)
{
  return log->is_eventlog ? table->of_ghc : table->of_mono;
}

bool
sql_table_is_exported (const struct sql_table *table, const struct sql_log *log)
{
  return sql_table_is_of (table, log) && strcmp (table->name, "events") != 0;
}

bool
sql_request_uses_source (const struct sql_request *request, const struct sql_table *table,
                         unsigned source)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (g_array_index (table->columns, struct sql_column, i).source == source
        && sql_request_uses (request, i))
      return true;
  return false;
}
