/* sql-logs.h -- the table of the logs themselves. */
#ifndef PROFLOG_SQL_LOGS_H
#define PROFLOG_SQL_LOGS_H

#include <glib.h>

/* Adds the table (struct sql_table). */
void sql_add_logs_table (GPtrArray *tables);

#endif
