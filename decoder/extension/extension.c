/* extension.c -- libproflog-sqlite: the tables of logs in any program that uses SQLite.
 *
 *   .load libproflog-sqlite
 *   SELECT proflog_open ('app.mlpd');
 *   SELECT kind, count(*) FROM events GROUP BY 1;
 *
 * Each connection has its own logs.
 */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-figures.h"
#include "decoder/log/log-kind.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/sql/sql-module.h"

SQLITE_EXTENSION_INIT1

struct connection {
  struct sql_module *module;
  struct sql_log_source source;
};

static struct log_input *
open_log (void *data, const char *name, GError **error)
{
  (void) data;
  return log_input_open (name, error);
}

/* Damage is not reported here: the table `damage` has it. */
static struct run_figures *
read_figures (void *data, const char *name, bool is_eventlog, GError **error)
{
  struct log_command command = { .name = "query", .quiet = true, .format = EMITTER_JSON };
  const struct view view = { .selection = &command.selection, .hides_findings = true };
  int status;
  (void) data;
  struct run_figures *figures
      = log_command_read_figures (&command, name, log_kind_of (is_eventlog), &view, false, &status);
  if (figures == NULL)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "it has no report");
  return figures;
}

static GPtrArray *
read_stacks (void *data, const char *name, bool is_eventlog, const char *kind, GError **error)
{
  struct log_command command = { .name = "query", .quiet = true, .format = EMITTER_JSON };
  int status;
  (void) data;
  GPtrArray *stacks
      = log_stacks_read_kinds (&command, name, log_kind_of (is_eventlog), kind, &status);
  if (status == CLI_OK)
    return stacks;
  g_ptr_array_unref (stacks);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "its stacks cannot be read");
  return NULL;
}

/* proflog_open (PATH): adds a log, and returns its format. */
static void
add_log (sqlite3_context *to, int n, sqlite3_value **values)
{
  struct connection *c = sqlite3_user_data (to);
  const char *path = (const char *) sqlite3_value_text (values[0]);
  GError *error = NULL;
  (void) n;
  struct sql_log *log = path != NULL ? sql_log_new (path, &c->source, &error) : NULL;
  if (log == NULL) {
    sqlite3_result_error (to, error != NULL ? error->message : "proflog_open: no path", -1);
    g_clear_error (&error);
    return;
  }
  g_ptr_array_add (c->module->logs, log);
  sqlite3_result_text (to, log->is_eventlog ? "ghc" : "mono", -1, SQLITE_STATIC);
}

static void
free_connection (void *data)
{
  struct connection *c = data;
  sql_module_free (c->module);
  g_free (c);
}

int sqlite3_extension_init (sqlite3 *db, char **message, const sqlite3_api_routines *api);

__attribute__ ((visibility ("default"))) int
sqlite3_extension_init (sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
  SQLITE_EXTENSION_INIT2 (api)
  struct connection *c = g_new0 (struct connection, 1);
  (void) message;
  c->module = sql_module_new ();
  c->source = (struct sql_log_source){
    .open = open_log, .figures = read_figures, .stacks = read_stacks, .data = c
  };
  /* SQLite frees it if it fails, and after all tables when the connection is closed: functions are
   * freed last. */
  const int result
      = sqlite3_create_function_v2 (db, "proflog_open", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, c,
                                    add_log, NULL, NULL, free_connection);
  const int registered = result == SQLITE_OK ? sql_module_register (c->module, db) : result;
  /* GLib's memory outlives a connection. */
  return registered == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : registered;
}
