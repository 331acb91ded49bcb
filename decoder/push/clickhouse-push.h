/* clickhouse-push.h -- sends the tables of logs to servers of ClickHouse. */
#ifndef PROFLOG_CLICKHOUSE_PUSH_H
#define PROFLOG_CLICKHOUSE_PUSH_H

#include "decoder/push/clickhouse-server.h"
#include "decoder/push/push-log.h"

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
