/* query-parquet.c -- SELECT * of each table and log, into a file. */
#include "config.h"

#include "decoder/command/message.h"
#include "decoder/query/parquet-writer.h"
#include "decoder/query/query-parquet.h"
#include "decoder/views/compare/run-origin.h"
#include <errno.h>
#include <string.h>

/* What the files of a log have in common. */
struct place {
  const char *folder;
  char *date; /* of its start, UTC */
  char *host; /* as the name of a folder */
  uint64_t pid;
  char *file; /* name of its files */
};

/* ---- where ---- */

static char *
date_of (uint64_t ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc ((gint64) (ms / 1000));
  return time != NULL && ms != 0 ? g_date_time_format (time, "%Y-%m-%d") : g_strdup ("unknown");
}

/* As in folders of Hive, other characters are %XX.  A host is no way out of the folder. */
static char *
host_of (const struct run_figures *figures)
{
  g_autofree char *host = run_origin_host (figures);
  return g_uri_escape_string (host, NULL, FALSE);
}

/* Logs of one base name, as those of several folders, have different files.  `names` counts them.
 */
static char *
file_of (const struct sql_log *log, GHashTable *names)
{
  char *base = g_path_get_basename (strcmp (log->name, "-") == 0 ? "stdin" : log->name);
  const guint same = GPOINTER_TO_UINT (g_hash_table_lookup (names, base));
  char *file = same == 0 ? g_strconcat (base, ".parquet", NULL)
                         : g_strdup_printf ("%s.%u.parquet", base, same + 1);
  g_hash_table_replace (names, base, GUINT_TO_POINTER (same + 1));
  return file;
}

static bool
find_place (struct sql_log *log, GHashTable *names, struct place *place, GError **error)
{
  const struct run_figures *figures = sql_log_figures (log, error);
  if (figures == NULL)
    return false;
  place->date = date_of (run_figures_number (figures, "log.start_time"));
  place->host = host_of (figures);
  place->pid = run_origin_pid (figures);
  place->file = file_of (log, names);
  return true;
}

/* The path of the file of a table, whose folders are made (g_free); NULL with an error. */
static char *
make_path (const struct place *place, const char *table, GError **error)
{
  g_autofree char *folder
      = g_strdup_printf ("%s/kind=%s/date=%s/host=%s/pid=%" G_GUINT64_FORMAT, place->folder, table,
                         place->date, place->host, place->pid);
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder,
                 g_strerror (errno));
    return NULL;
  }
  return g_build_filename (folder, place->file, NULL);
}

/* ---- rows ---- */

static enum parquet_type
type_of (const struct sql_column *column)
{
  return strcmp (column->type, "INTEGER") == 0 ? PARQUET_INT64
         : strcmp (column->type, "REAL") == 0  ? PARQUET_DOUBLE
                                               : PARQUET_TEXT;
}

static void
put_value (struct parquet_writer *w, sqlite3_stmt *statement, int i, enum parquet_type type)
{
  if (sqlite3_column_type (statement, i) == SQLITE_NULL)
    parquet_writer_put_null (w);
  else if (type == PARQUET_INT64)
    parquet_writer_put_int (w, sqlite3_column_int64 (statement, i));
  else if (type == PARQUET_DOUBLE)
    parquet_writer_put_double (w, sqlite3_column_double (statement, i));
  else if (sqlite3_column_type (statement, i) == SQLITE_BLOB)
    parquet_writer_put_null (w);
  else
    parquet_writer_put_text (w, (const char *) sqlite3_column_text (statement, i),
                             (size_t) sqlite3_column_bytes (statement, i));
}

static struct parquet_writer *
new_writer (const struct sql_table *table, const struct place *place, GError **error)
{
  g_autofree char *path = make_path (place, table->name, error);
  struct parquet_writer *w = path != NULL ? parquet_writer_new (path, error) : NULL;
  for (guint i = 0; w != NULL && i < table->columns->len; i++) {
    const struct sql_column *column = &g_array_index (table->columns, struct sql_column, i);
    parquet_writer_add_column (w, column->name, type_of (column));
  }
  return w;
}

/* The rows of the statement, if there are any. */
static bool
write_rows (struct query *q, const struct sql_table *table, sqlite3_stmt *statement,
            const struct place *place, GError **error)
{
  struct parquet_writer *w = NULL;
  int result;
  while ((result = sqlite3_step (statement)) == SQLITE_ROW) {
    if (w == NULL && (w = new_writer (table, place, error)) == NULL)
      return false;
    for (guint i = 0; i < table->columns->len; i++)
      put_value (w, statement, (int) i,
                 type_of (&g_array_index (table->columns, struct sql_column, i)));
    if (!parquet_writer_end_row (w))
      break;
  }
  if (w != NULL && !parquet_writer_close (w, error))
    return false;
  if (result != SQLITE_DONE)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", table->name,
                 sqlite3_errmsg (q->db));
  return result == SQLITE_DONE;
}

static bool
write_table (struct query *q, const struct sql_table *table, const struct sql_log *log,
             const struct place *place, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM \"%s\" WHERE log = ?", table->name);
  sqlite3_stmt *statement = NULL;
  bool good = sqlite3_prepare_v2 (q->db, sql, -1, &statement, NULL) == SQLITE_OK
              && sqlite3_bind_text (statement, 1, log->name, -1, SQLITE_STATIC) == SQLITE_OK;
  if (!good)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", table->name,
                 sqlite3_errmsg (q->db));
  good = good && write_rows (q, table, statement, place, error);
  sqlite3_finalize (statement);
  return good;
}

/* ---- all ---- */

static bool
write_log (struct query *q, struct sql_log *log, GHashTable *names, const char *folder,
           GError **error)
{
  struct place place = { .folder = folder };
  bool good = find_place (log, names, &place, error);
  for (guint i = 0; good && i < q->module->tables->len; i++) {
    const struct sql_table *table = g_ptr_array_index (q->module->tables, i);
    if (sql_table_is_exported (table, log))
      good = write_table (q, table, log, &place, error);
  }
  g_free (place.date);
  g_free (place.host);
  g_free (place.file);
  return good;
}

bool
query_write_parquet (struct query *q, const char *folder)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < q->module->logs->len; i++) {
    struct sql_log *log = g_ptr_array_index (q->module->logs, i);
    GError *error = NULL;
    const bool good = write_log (q, log, names, folder, &error);
    sql_log_forget (log); /* there may be thousands */
    if (good)
      continue;
    cli_message ("proflog query: %s", error->message);
    g_error_free (error);
    return false;
  }
  return true;
}
