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

/* Runs the program of the command in the place of this one; argv[0] is the name of the command.
 * Returns the exit status if that fails, which was reported. */
int cmd_query_run (char **argv);

#endif
