/* clickhouse-schema.h -- the tables of ClickHouse that hold those of logs.
 *
 * Each row states its log: log_id, log_batch and log_row are its key, the other columns with log_
 * are the same for all rows of a log, so that they take hardly any room.  Values may be NULL.  With
 * a cluster, a table is TABLE_local on each of its servers, and TABLE is all of them together.
 */
#ifndef PROFLOG_CLICKHOUSE_SCHEMA_H
#define PROFLOG_CLICKHOUSE_SCHEMA_H

#include "decoder/push/clickhouse-server.h"
#include "decoder/query/query.h"

/* The table that lists what is finished. */
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

#endif
