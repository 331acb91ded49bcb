/* clickhouse-push.h -- sends the tables of logs to servers of ClickHouse. */
#ifndef PROFLOG_CLICKHOUSE_PUSH_H
#define PROFLOG_CLICKHOUSE_PUSH_H

#include "decoder/push/clickhouse-server.h"
#include "decoder/push/push-values.h"
#include "decoder/query/query.h"

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
  struct sql_log *sql; /* what its tables are read from */
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

/* What became of a log. */
struct clickhouse_result {
  uint64_t rows;       /* that were sent */
  guint tables;        /* that have rows */
  guint tables_before; /* that were finished before */
  bool is_no_log;      /* after an error: the log failed, not a server */
};

/* Sends a log: all of it, or what a push before did not finish.  False with an error; the result is
 * set in any case. */
bool clickhouse_push_log (struct clickhouse_push *push, struct query *query,
                          const struct push_log *log, struct clickhouse_result *result,
                          GError **error);

/* Does each word of --tables select a table?  False with an error that names the one that does not.
 */
bool clickhouse_push_check (const struct push_values *values, const struct query *query,
                            GError **error);

#endif
