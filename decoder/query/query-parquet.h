/* query-parquet.h -- the tables of logs as files of Parquet, in folders by kind, date, host and
 * pid. */
#ifndef PROFLOG_QUERY_PARQUET_H
#define PROFLOG_QUERY_PARQUET_H

#include "decoder/query/query.h"

/* Writes the tables that have rows below the folder, which is made if it is not there:
 * kind=TABLE/date=YYYY-MM-DD/host=HOST/pid=PID/LOG.parquet, as engines with partitions of Hive read
 * them.  False with a message. */
bool query_write_parquet (struct query *query, const char *folder);

#endif
