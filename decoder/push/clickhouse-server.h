/* clickhouse-server.h -- statements for one server of ClickHouse, by HTTP. */
#ifndef PROFLOG_CLICKHOUSE_SERVER_H
#define PROFLOG_CLICKHOUSE_SERVER_H

#include "decoder/push/push-http.h"

struct clickhouse_server {
  struct push_http *http; /* borrowed */
  char *url;              /* without '/' at its end */
  char *database;
  GHashTable *tables; /* name -> set of the names of its columns; NULL: they were not read */
};

void clickhouse_server_init (struct clickhouse_server *server, struct push_http *http,
                             const char *url, const char *database);
void clickhouse_server_clear (struct clickhouse_server *server);

/* Runs a statement that may run twice, and splits its answer into lines (g_strfreev); NULL with an
 * error. */
char **clickhouse_ask (struct clickhouse_server *server, const char *sql, GError **error);

/* The same of a statement whose answer does not matter. */
bool clickhouse_do (struct clickhouse_server *server, const char *sql, GError **error);

/* A statement whose answer is one number. */
bool clickhouse_count (struct clickhouse_server *server, const char *sql, uint64_t *count,
                       GError **error);

/* Inserts rows in the format RowBinary once.  The server runs no two statements with the same query
 * id at the same time. */
enum push_outcome clickhouse_insert (struct clickhouse_server *server, const char *sql,
                                     const char *query_id, const GString *rows, GError **error);

/* Deletes the rows that meet a condition, and waits until they are gone. */
bool clickhouse_delete (struct clickhouse_server *server, const char *table, const char *condition,
                        GError **error);

#endif
