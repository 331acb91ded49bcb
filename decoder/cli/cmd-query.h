/* cmd-query.h -- the values of the options of proflog query. */
#ifndef PROFLOG_CMD_QUERY_H
#define PROFLOG_CMD_QUERY_H

#include "decoder/cli/log-command.h"

struct query_values {
  struct log_command log;
  const char *script;        /* a file of statements; NULL: none */
  const char *parquet;       /* the folder of files of Parquet; NULL: none are written */
  struct cli_number timeout; /* of each statement */
  uint64_t memory;           /* bytes that SQLite may use */
};

#endif
