/* query-values.h -- the values of the options of proflog query. */
#ifndef PROFLOG_QUERY_VALUES_H
#define PROFLOG_QUERY_VALUES_H

#include "decoder/log/log-command.h"

struct query_values {
  struct log_command log;
  const char *script;        /* a file of statements; NULL: none */
  const char *parquet;       /* the folder of files of Parquet; NULL: none are written */
  struct cli_number timeout; /* of each statement */
  uint64_t memory;           /* bytes that SQLite may use */
};

#endif
