/* clickhouse-schema.c -- statements that create tables. */
#include "config.h"

#include "decoder/push/clickhouse.h"
#include <string.h>

/* Of each row, before those of its table, in the order of clickhouse_rows_init.  The first three
 * are its key. */
static const struct {
  const char *name, *type;
} log_columns[] = {
  { "log_id", "FixedString(32)" },
  { "log_batch", "UInt32" },
  { "log_row", "UInt32" },
  { "log_day", "Date" },
  { "log_start", "DateTime" },
  { "log_name", "String" },
  { "log_host", "String" },
  { "log_program", "String" },
  { "log_version", "String" },
  { "log_pid", "UInt64" },
  { "log_labels.name", "Array(String)" },
  { "log_labels.value", "Array(String)" },
};

/* Columns without a type in SQLite have numbers and texts: a text. */
static const char *
type_of (const struct sql_column *column)
{
  return strcmp (column->type, "INTEGER") == 0 ? "Nullable(Int64)"
         : strcmp (column->type, "REAL") == 0  ? "Nullable(Float64)"
                                               : "Nullable(String)";
}

char *
clickhouse_local_name (const char *table, const char *cluster)
{
  return g_strconcat (table, cluster != NULL ? "_local" : "", NULL);
}

/* ---- the tables of the server ---- */

/* All tables of the database with their columns. */
static bool
read_tables (struct clickhouse_server *server, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT table, name FROM system.columns WHERE database = '%s'", server->database);
  g_auto (GStrv) lines = clickhouse_ask (server, sql, error);
  if (lines == NULL)
    return false;
  server->tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) g_hash_table_unref);
  for (char **line = lines; *line != NULL; line++) {
    g_auto (GStrv) words = g_strsplit (*line, "\t", 2);
    if (g_strv_length (words) != 2)
      continue;
    GHashTable *columns = g_hash_table_lookup (server->tables, words[0]);
    if (columns == NULL) {
      columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_insert (server->tables, g_strdup (words[0]), columns);
    }
    g_hash_table_add (columns, g_strdup (words[1]));
  }
  return true;
}

bool
clickhouse_has_table (const struct clickhouse_server *server, const char *name)
{
  return g_hash_table_contains (server->tables, name);
}

/* ---- creating ---- */

/* The table that reads all servers of the cluster, with the columns of the local one. */
static bool
create_distributed (struct clickhouse_server *server, const char *cluster, const char *table,
                    GError **error)
{
  if (cluster == NULL)
    return true;
  g_autofree char *sql = g_strdup_printf (
      "CREATE TABLE IF NOT EXISTS `%s`.`%s` AS `%s`.`%s_local`"
      " ENGINE = Distributed(`%s`, `%s`, `%s_local`, cityHash64(log_id))",
      server->database, table, server->database, table, cluster, server->database, table);
  return clickhouse_do (server, sql, error);
}

bool
clickhouse_create (struct clickhouse_server *server, const char *cluster, GError **error)
{
  g_autofree char *local = clickhouse_local_name (CLICKHOUSE_LEDGER, cluster);
  g_autofree char *database
      = g_strdup_printf ("CREATE DATABASE IF NOT EXISTS `%s`", server->database);
  g_autofree char *ledger = g_strdup_printf (
      "CREATE TABLE IF NOT EXISTS `%s`.`%s` (log_id FixedString(32), table_name String,"
      " batches UInt32, rows UInt64, log_name String, log_host String, writer String, at DateTime)"
      " ENGINE = ReplacingMergeTree() ORDER BY (log_id, table_name)",
      server->database, local);
  if (!read_tables (server, error))
    return false;
  if (!clickhouse_has_table (server, local)
      && (!clickhouse_do (server, database, error) || !clickhouse_do (server, ledger, error)))
    return false;
  return clickhouse_has_table (server, CLICKHOUSE_LEDGER)
         || create_distributed (server, cluster, CLICKHOUSE_LEDGER, error);
}

static void
append_column (GString *to, const char *name, const char *type)
{
  g_string_append_printf (to, "`%s` %s", name, type);
}

static bool
create_local (struct clickhouse_server *server, const struct sql_table *table, const char *local,
              GError **error)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE IF NOT EXISTS ");
  g_string_append_printf (sql, "`%s`.`%s` (", server->database, local);
  for (gsize i = 0; i < G_N_ELEMENTS (log_columns); i++) {
    append_column (sql, log_columns[i].name, log_columns[i].type);
    g_string_append (sql, i + 1 < G_N_ELEMENTS (log_columns) ? ", " : "");
  }
  for (guint i = 1; i < table->columns->len; i++) {
    const struct sql_column *column = &g_array_index (table->columns, struct sql_column, i);
    g_string_append (sql, ", ");
    append_column (sql, column->name, type_of (column));
  }
  g_string_append (sql, ") ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMM(log_day)"
                        " ORDER BY (log_host, log_id, log_batch, log_row)");
  return clickhouse_do (server, sql->str, error);
}

/* A column of a newer proflog. */
static bool
add_column (struct clickhouse_server *server, const char *name, const struct sql_column *column,
            GError **error)
{
  g_autoptr (GString) sql = g_string_new ("ALTER TABLE ");
  g_string_append_printf (sql, "`%s`.`%s` ADD COLUMN ", server->database, name);
  append_column (sql, column->name, type_of (column));
  return clickhouse_do (server, sql->str, error);
}

static bool
add_columns (struct clickhouse_server *server, const char *name, const struct sql_table *table,
             GError **error)
{
  GHashTable *columns = g_hash_table_lookup (server->tables, name);
  for (guint i = 1; i < table->columns->len; i++) {
    const struct sql_column *column = &g_array_index (table->columns, struct sql_column, i);
    if (g_hash_table_contains (columns, column->name))
      continue;
    if (!add_column (server, name, column, error))
      return false;
    g_hash_table_add (columns, g_strdup (column->name));
  }
  return true;
}

/* The table was created with all columns. */
static void
note_table (struct clickhouse_server *server, const char *name, const struct sql_table *table)
{
  GHashTable *columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 1; i < table->columns->len; i++)
    g_hash_table_add (columns,
                      g_strdup (g_array_index (table->columns, struct sql_column, i).name));
  g_hash_table_replace (server->tables, g_strdup (name), columns);
}

bool
clickhouse_create_table (struct clickhouse_server *server, const char *cluster,
                         const struct sql_table *table, GError **error)
{
  g_autofree char *local = clickhouse_local_name (table->name, cluster);
  if (clickhouse_has_table (server, local)) {
    if (!add_columns (server, local, table, error))
      return false;
  } else if (create_local (server, table, local, error))
    note_table (server, local, table);
  else
    return false;
  if (clickhouse_has_table (server, table->name))
    return add_columns (server, table->name, table, error);
  if (!create_distributed (server, cluster, table->name, error))
    return false;
  note_table (server, table->name, table);
  return true;
}

char *
clickhouse_columns (const struct sql_table *table)
{
  GString *names = g_string_new (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (log_columns); i++)
    g_string_append_printf (names, "%s`%s`", i == 0 ? "" : ",", log_columns[i].name);
  for (guint i = 1; i < table->columns->len; i++)
    g_string_append_printf (names, ",`%s`",
                            g_array_index (table->columns, struct sql_column, i).name);
  return g_string_free (names, FALSE);
}
