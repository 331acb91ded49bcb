/* query-main.c -- proflog query: statements of SQL over logs.
 *
 * A program of its own, which `proflog` runs, as other commands need not load SQLite. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/query/query-parquet.h"
#include "decoder/query/query-shell.h"
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

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

/* What is wrong with the words, before a log is opened. */
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
main (int argc, char **argv)
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
  sqlite3_hard_heap_limit64 ((sqlite3_int64) v.memory);
  struct query q;
  status = query_open (&q, &v, v.log.logs) ? run (&q, sql) : CLI_INPUT;
  query_close (&q);
  return cli_end (log_command_finish (&v.log, status));
}
