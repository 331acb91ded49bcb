/* clickhouse-server.c -- statements and their answers. */
#include "config.h"

#include "decoder/push/clickhouse.h"
#include <stdlib.h>
#include <string.h>

void
clickhouse_server_init (struct clickhouse_server *server, struct push_http *http, const char *url,
                        const char *database)
{
  *server = (struct clickhouse_server){
    .http = http,
    .url = g_strdup (url),
    .database = g_strdup (database),
  };
  for (size_t n = strlen (url); n > 0 && url[n - 1] == '/'; n--)
    server->url[n - 1] = 0;
}

void
clickhouse_server_clear (struct clickhouse_server *server)
{
  g_clear_pointer (&server->tables, g_hash_table_unref);
  g_free (server->url);
  g_free (server->database);
}

/* ---- outcomes ---- */

/* Errors of a server that has too much to do, or that is stopped: their codes in its answers. */
static bool
is_temporary (const char *message)
{
  static const int codes[] = {
    159, /* TIMEOUT_EXCEEDED */
    202, /* TOO_MANY_SIMULTANEOUS_QUERIES */
    209, /* SOCKET_TIMEOUT */
    210, /* NETWORK_ERROR */
    216, /* QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING */
    236, /* ABORTED */
    241, /* MEMORY_LIMIT_EXCEEDED */
    252, /* TOO_MANY_PARTS */
    394, /* QUERY_WAS_CANCELLED */
  };
  const char *const code = strstr (message, "Code: ");
  const long number = code != NULL ? strtol (code + strlen ("Code: "), NULL, 10) : 0;
  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (number == codes[i])
      return true;
  return false;
}

static enum push_outcome
post (struct clickhouse_server *server, const struct push_request *request, GString *answer,
      GError **error)
{
  GError *problem = NULL;
  enum push_outcome outcome = push_http_post (server->http, request, answer, &problem);
  if (outcome == PUSH_REFUSED && is_temporary (problem->message))
    outcome = PUSH_UNSURE;
  if (problem != NULL)
    g_propagate_error (error, problem);
  return outcome;
}

/* ---- statements ---- */

static bool
run (struct clickhouse_server *server, const char *sql, GString *answer, GError **error)
{
  g_autofree char *url = g_strconcat (server->url, "/", NULL);
  const struct push_request request = { .url = url, .bytes = sql, .length = strlen (sql) };
  struct push_wait wait;
  enum push_outcome outcome;
  push_wait_begin (&wait, server->http);
  do {
    GError *problem = NULL;
    outcome = post (server, &request, answer, &problem);
    outcome = push_wait_after (&wait, outcome, &problem, error);
  } while (outcome == PUSH_UNSURE);
  return outcome == PUSH_DONE;
}

char **
clickhouse_ask (struct clickhouse_server *server, const char *sql, GError **error)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  if (!run (server, sql, answer, error))
    return NULL;
  if (answer->len > 0 && answer->str[answer->len - 1] == '\n')
    g_string_truncate (answer, answer->len - 1);
  return g_strsplit (answer->str, "\n", -1); /* nothing: no lines */
}

bool
clickhouse_do (struct clickhouse_server *server, const char *sql, GError **error)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  return run (server, sql, answer, error);
}

bool
clickhouse_count (struct clickhouse_server *server, const char *sql, uint64_t *count,
                  GError **error)
{
  g_auto (GStrv) lines = clickhouse_ask (server, sql, error);
  if (lines == NULL)
    return false;
  if (lines[0] != NULL && g_ascii_string_to_unsigned (lines[0], 10, 0, G_MAXUINT64, count, NULL))
    return true;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: '%s' is no number", server->url,
               lines[0] != NULL ? lines[0] : "");
  return false;
}

enum push_outcome
clickhouse_insert (struct clickhouse_server *server, const char *sql, const char *query_id,
                   const GString *rows, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (sql, NULL, FALSE);
  g_autofree char *url
      = g_strdup_printf ("%s/?query_id=%s&query=%s", server->url, query_id, escaped);
  const struct push_request request
      = { .url = url, .bytes = rows->str, .length = rows->len, .compress = true };
  g_autoptr (GString) answer = g_string_new (NULL);
  return post (server, &request, answer, error);
}

bool
clickhouse_delete (struct clickhouse_server *server, const char *table, const char *condition,
                   GError **error)
{
  g_autofree char *statement = g_strdup_printf ("ALTER TABLE `%s`.`%s` DELETE WHERE %s",
                                                server->database, table, condition);
  g_autofree char *running
      = g_strdup_printf ("SELECT count() FROM system.mutations WHERE database = '%s'"
                         " AND table = '%s' AND NOT is_done",
                         server->database, table);
  struct push_wait wait;
  enum push_outcome outcome;
  if (!clickhouse_do (server, statement, error))
    return false;
  push_wait_begin (&wait, server->http);
  do {
    uint64_t left;
    if (!clickhouse_count (server, running, &left, error))
      return false;
    GError *problem = left == 0 ? NULL
                                : g_error_new (G_FILE_ERROR, G_FILE_ERROR_FAILED,
                                               "%s: rows of %s that may be incomplete are not "
                                               "deleted in time",
                                               server->url, table);
    outcome = push_wait_after (&wait, left == 0 ? PUSH_DONE : PUSH_UNSURE, &problem, error);
  } while (outcome == PUSH_UNSURE);
  return outcome == PUSH_DONE;
}
