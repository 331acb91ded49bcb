/* sql-calls.h -- the table of calls. */
#ifndef PROFLOG_SQL_CALLS_H
#define PROFLOG_SQL_CALLS_H

#include "decoder/sql/sql-table.h"

/* Adds the table of calls. */
void sql_add_call_tables (GPtrArray *tables);

#endif
