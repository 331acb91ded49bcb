/* query-shell.c -- a prompt for statements, on a terminal. */
#include "config.h"

#include "decoder/command/message.h"
#include "decoder/query/query-outputs.h"
#include "decoder/sql/sql-sqlite.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBEDIT
#include <editline/readline.h>
#endif

static struct query *at_work;

static void
interrupt (int number)
{
  (void) number;
  if (at_work != NULL)
    at_work->interrupted = 1;
}

/* A line without its end (free); NULL at the end. */
static char *
read_line (const char *prompt)
{
#ifdef HAVE_LIBEDIT
  char *line = readline (prompt);
  if (line != NULL && *line != 0)
    add_history (line);
  return line;
#else
  char *line = NULL;
  size_t room = 0;
  fputs (prompt, stdout);
  fflush (stdout);
  const ssize_t n = getline (&line, &room, stdin);
  if (n <= 0) {
    free (line);
    return NULL;
  }
  line[strcspn (line, "\n")] = 0;
  return line;
#endif
}

#ifdef HAVE_LIBEDIT
/* Where lines are retained between sessions (g_free). */
static char *
history_path (void)
{
  g_autofree char *dir = g_build_filename (g_get_user_state_dir (), "proflog", NULL);
  g_mkdir_with_parents (dir, 0700);
  return g_build_filename (dir, "query-history", NULL);
}
#endif

/* ---- commands ---- */

/* The tables that there are rows of, a line each. */
static void
query_list_tables (const struct query *q, const char *pattern, GString *text)
{
  for (guint i = 0; i < q->module->tables->len; i++) {
    const struct sql_table *table = g_ptr_array_index (q->module->tables, i);
    if (sql_module_has_rows (q->module, table)
        && (pattern == NULL || g_pattern_match_simple (pattern, table->name)))
      g_string_append_printf (text, "%-32s %s\n", table->name, table->doc);
  }
  for (const struct sql_view *view = sql_views; view->name != NULL; view++)
    if (pattern == NULL || g_pattern_match_simple (pattern, view->name))
      g_string_append_printf (text, "%-32s %s\n", view->name, view->doc);
}

static void
show_tables (struct query *q, const char *pattern)
{
  g_autoptr (GString) text = g_string_new (NULL);
  query_list_tables (q, *pattern != 0 ? pattern : NULL, text);
  output_write (&q->values->log.output, text);
}

/* False if there is no such table. */
static bool
add_table (const struct query *q, const char *name, GString *text)
{
  const struct sql_table *table = sql_module_table (q->module, name);
  if (table == NULL)
    return false;
  g_string_append_printf (text, "%s: %s\n", table->name, table->doc);
  for (guint i = 0; i < table->columns->len; i++) {
    const struct sql_column *c = &g_array_index (table->columns, struct sql_column, i);
    g_string_append_printf (text, "  %-20s %-8s %s\n", c->name, c->type, c->doc);
  }
  return true;
}

/* The columns of a view have no texts of their own.  False if there is no such view. */
static bool
add_view (const struct query *q, const char *name, GString *text)
{
  const struct sql_view *view = sql_views;
  sqlite3_stmt *statement;
  while (view->name != NULL && strcmp (view->name, name) != 0)
    view++;
  if (view->name == NULL)
    return false;
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s", view->name);
  g_string_append_printf (text, "%s: %s\n", view->name, view->doc);
  if (sqlite3_prepare_v2 (q->db, sql, -1, &statement, NULL) == SQLITE_OK)
    for (int i = 0; i < sqlite3_column_count (statement); i++)
      g_string_append_printf (text, "  %s\n", sqlite3_column_name (statement, i));
  sqlite3_finalize (statement);
  return true;
}

static void
show_schema (struct query *q, const char *name)
{
  g_autoptr (GString) text = g_string_new (NULL);
  if (add_table (q, name, text) || add_view (q, name, text))
    output_write (&q->values->log.output, text);
  else
    cli_message ("there is no table '%s'; .tables lists them", name);
}

static void
set_mode (struct query *q, const char *name)
{
  static const char *const names[] = { [EMITTER_TEXT] = "text",
                                       [EMITTER_JSON] = "json",
                                       [EMITTER_CSV] = "csv",
                                       [EMITTER_MARKDOWN] = "markdown",
                                       [EMITTER_HTML] = "html" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0) {
      q->values->log.format = i;
      return;
    }
  cli_message (".mode: there are text, json, csv, markdown and html");
}

static void
show_help (struct query *q)
{
  g_autoptr (GString) text = g_string_new (
      "  SELECT ... ;      run a statement, which ends with ';'\n"
      "  .tables [PATTERN] tables that these logs have rows of, such as .tables gc*\n"
      "  .schema TABLE     columns of a table or view\n"
      "  .mode FORMAT      text, json, csv, markdown, html\n"
      "  .quit             end (or Ctrl-D); Ctrl-C ends a statement, and discards\n"
      "                    a line that is being typed\n");
  output_write (&q->values->log.output, text);
}

/* False if it was .quit. */
static bool
run_command (struct query *q, char *line)
{
  g_auto (GStrv) words = g_strsplit (g_strstrip (line), " ", 2);
  const char *argument = words[1] != NULL ? g_strstrip (words[1]) : "";
  if (strcmp (words[0], ".quit") == 0 || strcmp (words[0], ".exit") == 0)
    return false;
  if (strcmp (words[0], ".tables") == 0)
    show_tables (q, argument);
  else if (strcmp (words[0], ".schema") == 0)
    show_schema (q, argument);
  else if (strcmp (words[0], ".mode") == 0)
    set_mode (q, argument);
  else if (strcmp (words[0], ".help") == 0)
    show_help (q);
  else
    cli_message ("there is no command '%s'; .help lists them", words[0]);
  return true;
}

/* ---- the prompt ---- */

/* Takes a line; false at the end. */
static bool
take_line (struct query *q, char *line, GString *statement)
{
  if (statement->len == 0 && *line == '.')
    return run_command (q, line);
  g_string_append (statement, line);
  g_string_append_c (statement, '\n');
  if (!sqlite3_complete (statement->str))
    return true;
  query_run (q, statement->str);
  q->has_rows = false;
  output_flush (&q->values->log.output);
  g_string_truncate (statement, 0);
  return true;
}

/* Ctrl-C at the prompt, after which there is no line: the beginning of a statement is discarded. */
static void
discard_line (struct query *q, GString *statement)
{
  q->interrupted = 0;
  g_string_truncate (statement, 0);
  clearerr (stdin);
  putchar ('\n');
  fflush (stdout);
}

void
query_shell (struct query *q)
{
  const struct sigaction action = { .sa_handler = interrupt };
  g_autoptr (GString) statement = g_string_new (NULL);
  bool go_on = true;
#ifdef HAVE_LIBEDIT
  g_autofree char *history = history_path ();
  rl_initialize ();
  read_history (history);
#endif
  at_work = q;
  q->values->log.no_pager = true;
  sigaction (SIGINT, &action, NULL);
  puts (".help lists the commands; statements end with ';'");
  while (go_on) {
    char *line = read_line (statement->len == 0 ? "proflog> " : "    ...> ");
    if (line == NULL && !q->interrupted)
      break;
    if (line != NULL)
      go_on = *g_strstrip (line) == 0 || take_line (q, line, statement);
    else
      discard_line (q, statement);
    output_flush (&q->values->log.output);
    free (line);
  }
#ifdef HAVE_LIBEDIT
  write_history (history);
#endif
  if (go_on)
    putchar ('\n');
  at_work = NULL;
}
