/* query.c -- the connection: its logs, and the rights and the time of its statements.
 */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-figures.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-join.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/query/query-outputs.h"
#include "decoder/sql/sql-sqlite.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/command/message.h"
#include "decoder/core/suggest.h"
#include "decoder/core/temporary-file.h"
#include "decoder/query/query.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- the query ---- */

/* Steps of SQLite between two looks at whether a signal came. */
enum { STEPS = 10000 };

/* ---- logs ---- */

static bool
copy_standard_input (struct query *q, GError **error)
{
  g_autofree char *bytes = g_malloc (1 << 16);
  uint64_t size = 0;
  ssize_t n;
  q->copy = temporary_file_open (error);
  if (q->copy < 0)
    return false;
  while ((n = read (STDIN_FILENO, bytes, 1 << 16)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    const int problem = n < 0 ? errno : temporary_file_write (q->copy, size, bytes, (size_t) n);
    if (problem != 0) {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem),
                   "standard input cannot be copied to a temporary file: %s", g_strerror (problem));
      return false;
    }
    size += (uint64_t) n;
  }
  q->standard_input = g_strdup_printf ("/proc/self/fd/%d", q->copy);
  return true;
}

static struct log_input *
open_file (struct query *q, const char *name, GError **error)
{
  struct log_command *c = &q->values->log;
  char *const *files = log_joined_files (c->joined, name);
  if (files != NULL)
    return log_input_open_parts (name, files, c->spool, error);
  if (strcmp (name, "-") != 0)
    return log_input_open_with (name, c->spool, error);
  if (q->standard_input == NULL && !copy_standard_input (q, error))
    return NULL;
  return log_input_open_alone (q->standard_input, error);
}

static struct log_input *
open_log (void *data, const char *name, GError **error)
{
  struct query *q = data;
  struct log_command *c = &q->values->log;
  struct log_input *input = open_file (q, name, error);
  if (input != NULL)
    progress_begin (&c->progress, log_input_size (input), c->quiet);
  return input;
}

static void
write_index (struct query *q, const char *name)
{
  struct log_command *c = &q->values->log;
  struct log_input *input = c->index ? open_file (q, name, NULL) : NULL;
  if (input == NULL)
    return;
  log_command_write_index (c, input);
  log_input_close (input);
}

static void
show_progress (void *data, uint64_t bytes)
{
  const struct query *q = data;
  progress_update (&q->values->log.progress, bytes);
}

/* All sections, as `report --format json` has them. */
static struct run_figures *
read_figures (void *data, const char *name, bool is_eventlog, GError **error)
{
  struct query *q = data;
  struct log_command *c = &q->values->log;
  const struct view view = { .selection = &c->selection, .hides_findings = true };
  int status;
  struct run_figures *figures
      = log_command_read_figures (c, strcmp (name, "-") == 0 ? q->standard_input : name,
                                  log_kind_of (is_eventlog), &view, false, &status);
  q->status = MAX (q->status, status);
  if (figures == NULL)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "it has no report");
  return figures;
}

static GPtrArray *
read_stacks (void *data, const char *name, bool is_eventlog, const char *kind, GError **error)
{
  struct query *q = data;
  int status;
  (void) error; /* damage of the log is a warning, as of its report */
  GPtrArray *stacks
      = log_stacks_read_kinds (&q->values->log, strcmp (name, "-") == 0 ? q->standard_input : name,
                               log_kind_of (is_eventlog), kind, &status);
  q->status = MAX (q->status, status);
  return stacks;
}

/* ---- limits ---- */

/* Functions that load code, reveal or replace addresses of this process, or write a log. */
static bool
is_harmful (const char *function)
{
  static const char *const harmful[]
      = { "load_extension", "fts3_tokenizer", "fts5",      "sqlite_log",
          "rtreenode",      "rtreedepth",     "rtreecheck" };
  for (gsize i = 0; i < G_N_ELEMENTS (harmful); i++)
    if (g_ascii_strcasecmp (function, harmful[i]) == 0)
      return true;
  return false;
}

/* Statements that read, and nothing else. */
static int
authorize (void *data, int action, const char *first, const char *second, const char *database,
           const char *inner)
{
  static const char *const harmless[] = { "table_info",    "table_list",      "table_xinfo",
                                          "function_list", "compile_options", "module_list" };
  const struct query *q = data;
  (void) database;
  (void) inner;
  if (q->module->is_connecting)
    return SQLITE_OK;
  switch (action) {
  case SQLITE_SELECT:
  case SQLITE_READ:
  case SQLITE_RECURSIVE:
    return SQLITE_OK;
  case SQLITE_FUNCTION:
    return is_harmful (second) ? SQLITE_DENY : SQLITE_OK;
  case SQLITE_PRAGMA:
    for (gsize i = 0; i < G_N_ELEMENTS (harmless); i++)
      if (g_ascii_strcasecmp (first, harmless[i]) == 0)
        return SQLITE_OK;
    return SQLITE_DENY;
  default:
    return SQLITE_DENY;
  }
}

static int
is_interrupted (void *data)
{
  const struct query *q = data;
  return q->interrupted;
}

static bool
connect_db (struct query *q)
{
  int enabled;
  if (sqlite3_open_v2 (":memory:", &q->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)
          != SQLITE_OK
      || sql_module_register (q->module, q->db) != SQLITE_OK)
    return false;
  /* These tables of SQLite itself are created by their first use, which is not allowed later. */
  sqlite3_exec (q->db,
                "SELECT 1 FROM json_each ('1'), json_tree ('1'), pragma_table_info ('events'),"
                " pragma_module_list",
                NULL, NULL, NULL);
  sqlite3_db_config (q->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, &enabled);
  sqlite3_db_config (q->db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, &enabled);
  sqlite3_db_config (q->db, SQLITE_DBCONFIG_DEFENSIVE, 1, &enabled);
  sqlite3_limit (q->db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (q->db, SQLITE_LIMIT_LENGTH, 256 << 20);
  sqlite3_set_authorizer (q->db, authorize, q);
  sqlite3_progress_handler (q->db, STEPS, is_interrupted, q);
  query_watch_init (&q->watch, q->db, q->values->memory);
  return true;
}

bool
query_open (struct query *q, struct query_values *values, char **logs)
{
  *q = (struct query){ .values = values, .module = sql_module_new (), .copy = -1 };
  q->source = (struct sql_log_source){ .open = open_log,
                                       .figures = read_figures,
                                       .stacks = read_stacks,
                                       .progress = show_progress,
                                       .data = q };
  for (; *logs != NULL; logs++) {
    GError *error = NULL;
    struct sql_log *log = sql_log_new (*logs, &q->source, &error);
    if (log == NULL) {
      cli_message ("proflog query: %s", error->message);
      g_error_free (error);
      return false;
    }
    g_ptr_array_add (q->module->logs, log);
    if (!log->is_eventlog && values->log.names != NULL) {
      cli_message ("proflog query: %s is a log of Mono: %s", *logs, log_kind_lacks_names);
      return false;
    }
    write_index (q, *logs);
  }
  if (!connect_db (q)) {
    cli_message ("proflog query: SQLite: %s", sqlite3_errmsg (q->db));
    return false;
  }
  return true;
}

/* Damage is counted by the statement that read most of the log.  The first is named, as a version
 * that is not known is one, and concerns all that is read. */
static void
warn_of_damage (struct query *q)
{
  struct log_command *c = &q->values->log;
  for (guint i = 0; i < q->module->logs->len; i++) {
    const struct sql_log *log = g_ptr_array_index (q->module->logs, i);
    g_autofree char *message
        = g_strdup_printf ("%" G_GUINT64_FORMAT " %s cannot be read: SELECT * FROM damage",
                           log->damages, log->damages == 1 ? "place" : "places");
    if (log->damages == 0)
      continue;
    log_command_warn (c, log->name, log->first_damage);
    log_command_warn (c, log->name, message);
  }
}

void
query_close (struct query *q)
{
  warn_of_damage (q);
  query_watch_clear (&q->watch);
  sqlite3_close (q->db);
  sql_module_free (q->module);
  g_free (q->standard_input);
  if (q->copy >= 0)
    close (q->copy);
}

/* ---- statements ---- */

/* For a table that is misspelt: the end of the message (g_free). */
static char *
suggest_table (const struct query *q, const char *message)
{
  static const char start[] = "no such table: ";
  if (strncmp (message, start, strlen (start)) != 0)
    return g_strdup ("");
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < q->module->tables->len; i++)
    g_ptr_array_add (names, ((struct sql_table *) g_ptr_array_index (q->module->tables, i))->name);
  for (const struct sql_view *view = sql_views; view->name != NULL; view++)
    g_ptr_array_add (names, (gpointer) view->name);
  return suggest_text ("", message + strlen (start), names);
}

static bool
report_error (struct query *q)
{
  struct log_command *c = &q->values->log;
  progress_clear (&c->progress);
  const int code = sqlite3_errcode (q->db);
  if (code == SQLITE_INTERRUPT && q->interrupted)
    cli_message ("proflog query: interrupted");
  else if (code == SQLITE_INTERRUPT || code == SQLITE_NOMEM
           || query_watch_was_exhausted (&q->watch))
    query_watch_report (&q->watch);
  else if (code == SQLITE_AUTH)
    cli_message ("proflog query: %s: only SELECT statements are possible", sqlite3_errmsg (q->db));
  else {
    g_autofree char *suggestion = suggest_table (q, sqlite3_errmsg (q->db));
    cli_message ("proflog query: %s%s", sqlite3_errmsg (q->db), suggestion);
  }
  return false;
}

/* The separator between the rows of two statements. */
static bool
separate (struct query *q)
{
  g_autoptr (GString) text = g_string_new (NULL);
  log_command_separate (&q->values->log, text);
  return !q->has_rows || output_write (&q->values->log.output, text);
}

/* Runs the statement at *sql, and moves *sql behind it. */
static bool
run_next (struct query *q, const char **sql)
{
  sqlite3_stmt *statement;
  q->interrupted = 0;
  if (sqlite3_prepare_v2 (q->db, *sql, -1, &statement, sql) != SQLITE_OK)
    return report_error (q);
  if (statement == NULL) /* blanks, a comment */
    return true;
  const int result = separate (q) ? query_write_rows (&q->values->log, statement) : SQLITE_OK;
  q->has_rows = true;
  const bool good = result == SQLITE_DONE || result == SQLITE_OK || report_error (q);
  sqlite3_finalize (statement);
  return good;
}

bool
query_run (struct query *q, const char *sql)
{
  bool good = true;
  while (good && *sql != 0) {
    good = query_watch_begin (&q->watch, (gint64) (q->values->timeout.value / 1000))
           && run_next (q, &sql);
    query_watch_end (&q->watch);
  }
  return good;
}
