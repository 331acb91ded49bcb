/* query.h -- a connection to logs, and statements on it. */
#ifndef PROFLOG_QUERY_H
#define PROFLOG_QUERY_H

#include "decoder/query/query-values.h"
#include "decoder/query/query-watch.h"
#include "decoder/sql/sql-module.h"

struct query {
  struct query_values *values;
  struct sql_log_source source;
  struct sql_module *module;
  sqlite3 *db;
  char *standard_input; /* path of its copy; NULL: it is no log */
  int copy;             /* descriptor of that */
  struct query_watch watch;
  volatile gint interrupted; /* by a signal */
  bool has_rows;             /* of a statement before */
  int status;
};

/* Opens the logs and the connection.  False with a message. */
bool query_open (struct query *query, struct query_values *values, char **logs);
void query_close (struct query *query);

/* Runs statements, and writes the rows of each.  False if one failed, with a message. */
bool query_run (struct query *query, const char *sql);

#endif
