/* clickhouse.h -- tables of logs on servers of ClickHouse. */
#ifndef PROFLOG_CLICKHOUSE_H
#define PROFLOG_CLICKHOUSE_H

#include "decoder/push/push-http.h"
#include "decoder/push/push-values.h"
#include "decoder/query/query.h"

/* ---- statements for one server of ClickHouse, by HTTP ---- */

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

/* ---- tables of the database ---- */

/* Each row states its log: log_id, log_batch and log_row are its key, the other columns with log_
 * are the same for all rows of a log, so that they take hardly any room.  Values may be NULL.  With
 * a cluster, a table is TABLE_local on each of its servers, and TABLE is all of them together. */

/* The table that lists finished tables. */
#define CLICKHOUSE_LEDGER "ledger"

/* The name of a table on its server (transfer full). */
char *clickhouse_local_name (const char *table, const char *cluster);

/* Creates the database and the ledger on a server. */
bool clickhouse_create (struct clickhouse_server *server, const char *cluster, GError **error);

/* Creates a table on a server, or adds the columns that it lacks. */
bool clickhouse_create_table (struct clickhouse_server *server, const char *cluster,
                              const struct sql_table *table, GError **error);

/* Does the server have the table? */
bool clickhouse_has_table (const struct clickhouse_server *server, const char *name);

/* The names of its columns in the order of clickhouse_rows (transfer full). */
char *clickhouse_columns (const struct sql_table *table);

/* ---- tables of logs to servers ---- */

/* Hexadecimal digits of an id. */
#define PUSH_ID_LENGTH 32

/* A log that is sent, and the values that each of its rows states. */
struct push_log {
  char id[PUSH_ID_LENGTH + 1]; /* of the bytes of its file: it is the same wherever the file lies */
  char *name;
  char *host, *program, *version; /* "": unknown */
  uint64_t pid;
  uint64_t start_s; /* since 1970, UTC; 0: unknown */
  uint64_t duration_ns;
  GPtrArray *labels;   /* of const char *: names and values in turn */
  struct sql_log *sql; /* the source of its tables */
  char *copy;          /* a file without its texts; NULL: none */
};

struct clickhouse_push {
  const struct push_values *values;
  struct clickhouse_server *servers; /* the shards */
  guint n_servers;
  char **tables; /* words of --tables */
};

/* The servers get the database, if they lack it.  False with an error; to be cleared in any case.
 */
bool clickhouse_push_init (struct clickhouse_push *push, const struct push_values *values,
                           struct push_http *http, GError **error);
void clickhouse_push_clear (struct clickhouse_push *push);

/* The result of a log. */
struct clickhouse_result {
  uint64_t rows;       /* that were sent */
  guint tables;        /* that have rows */
  guint tables_before; /* that were finished before */
  bool is_no_log;      /* after an error: the log failed, not a server */
};

/* Sends a log: all of it, or the rest of a push that did not finish.  False with an error; the
 * result is set in any case. */
bool clickhouse_push_log (struct clickhouse_push *push, struct query *query,
                          const struct push_log *log, struct clickhouse_result *result,
                          GError **error);

/* Does each word of --tables select a table?  False with an error that names the one that does not.
 */
bool clickhouse_push_check (const struct push_values *values, const struct query *query,
                            GError **error);

#endif
