/* query-main.c -- proflog query: statements of SQL over logs, or their tables as files of Parquet.
 *
 * A program of its own, which `proflog` runs, as other commands need not load SQLite; a part of the
 * static program. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/query/query-main.h"
#include "decoder/query/query-outputs.h"
#include "decoder/views/compare/runs.h"
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

/* ---- tables as files of Parquet ---- */

/* The common data of the files of a log. */
struct place {
  const char *folder;
  char *date; /* of its start, UTC */
  char *host; /* as the name of a folder */
  uint64_t pid;
  char *file; /* name of its files */
};

static char *
date_text (uint64_t ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc ((gint64) (ms / 1000));
  return time != NULL && ms != 0 ? g_date_time_format (time, "%Y-%m-%d") : g_strdup ("unknown");
}

/* As in folders of Hive, other characters are %XX.  A host is no way out of the folder. */
static char *
host_name (const struct run_figures *figures)
{
  g_autofree char *host = run_origin_host (figures);
  return g_uri_escape_string (host, NULL, FALSE);
}

/* Logs of one base name, as those of several folders, have different files.  `names` counts them.
 */
static char *
file_name (const struct sql_log *log, GHashTable *names)
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
  place->date = date_text (run_figures_number (figures, "log.start_time"));
  place->host = host_name (figures);
  place->pid = run_origin_pid (figures);
  place->file = file_name (log, names);
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

/* ---- all tables ---- */

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

/* Writes the tables that have rows below the folder, which is made if it is not there:
 * kind=TABLE/date=YYYY-MM-DD/host=HOST/pid=PID/LOG.parquet, as engines with partitions of Hive read
 * them.  False with a message. */
static bool
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

/* ---- the program ---- */

#define MEMORY_BYTES (UINT64_C (1) << 30)

/* Is the last word a statement, and no log?  A word without a blank is a log that is misspelt. */
static bool
is_statement (const char *word)
{
  return strpbrk (word, " \t\n;") != NULL && !g_file_test (word, G_FILE_TEST_EXISTS);
}

/* Takes the statement from the words that log_command_parse took for logs; NULL: there is none. */
static char *
take_statement (struct log_command *command)
{
  char **last = command->logs;
  while (*last != NULL)
    last++;
  if (last == command->logs || !is_statement (*--last))
    return NULL;
  char *sql = *last;
  *last = NULL;
  return sql;
}

/* All of a file, or of standard input. */
static char *
read_script (const char *path, GError **error)
{
  char *text = NULL;
  if (!g_file_get_contents (path != NULL ? path : "/dev/stdin", &text, NULL, NULL))
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s",
                 path != NULL ? path : "standard input", g_strerror (errno));
  return text;
}

static bool
is_read (char *const *logs, const char *name)
{
  for (; *logs != NULL; logs++)
    if (strcmp (*logs, name) == 0)
      return true;
  return false;
}

static int
run (struct query *q, const char *sql)
{
  const struct query_values *v = q->values;
  if (v->parquet != NULL)
    return query_write_parquet (q, v->parquet) ? q->status : CLI_INPUT;
  if (sql != NULL)
    return query_run (q, sql) ? q->status : CLI_INPUT;
  if (v->script == NULL && isatty (STDIN_FILENO) && isatty (STDOUT_FILENO)) {
    query_shell (q);
    return q->status;
  }
  GError *error = NULL;
  g_autofree char *script = read_script (v->script, &error);
  if (script == NULL) {
    cli_message ("proflog query: %s", error->message);
    g_error_free (error);
    return CLI_INPUT;
  }
  return query_run (q, script) ? q->status : CLI_INPUT;
}

/* Checks the words before a log is opened. */
static bool
check (const struct query_values *v, const char *sql, GError **error)
{
  char **logs = v->log.logs;
  if (logs[0] == NULL)
    return cli_refuse (error, "a log is needed before the statement");
  if (sql != NULL && v->script != NULL)
    return cli_refuse (error, "--file and a statement exclude each other");
  if (v->parquet != NULL && *v->parquet == 0)
    return cli_refuse (error, "--parquet: a folder is needed");
  if (v->parquet != NULL && (sql != NULL || v->script != NULL))
    return cli_refuse (error, "--parquet writes all tables: no statement is needed");
  if (sql == NULL && v->script == NULL && v->parquet == NULL && is_read (logs, "-"))
    return cli_refuse (error,
                       "standard input is the log; the statement has to be an argument or in "
                       "a file");
  return true;
}

int
query_main (int argc, char **argv)
{
  struct query_values v = { .memory = MEMORY_BYTES };
  int status;
  GError *error = NULL;
  out_of_memory_start (NULL);
  setlocale (LC_ALL, "");
  if (!log_command_parse (&v.log, &command_query, argc, argv, &status))
    return cli_end (status);
  const char *sql = take_statement (&v.log);
  if (!check (&v, sql, &error))
    return cli_end (log_command_refuse (&v.log, error));
  if (!log_command_open (&v.log, &status))
    return cli_end (status);
  query_watch_limit_memory (v.memory);
  struct query q;
  status = query_open (&q, &v, v.log.logs) ? run (&q, sql) : CLI_INPUT;
  query_close (&q);
  return cli_end (log_command_finish (&v.log, status));
}

#ifndef PROFLOG_STATIC
int
main (int argc, char **argv)
{
  return query_main (argc, argv);
}
#endif
