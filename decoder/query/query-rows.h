/* query-rows.h -- writes the rows of a statement in the format of the command. */
#ifndef PROFLOG_QUERY_ROWS_H
#define PROFLOG_QUERY_ROWS_H

#include "decoder/log/log-command.h"

#include <sqlite3.h>

/* Runs the statement to its end, or until the output fails.  Its last result code; SQLITE_OK if the
 * output failed, which was reported. */
int query_write_rows (struct log_command *command, sqlite3_stmt *statement);

#endif
