/* sql-module-private.h -- the tables that sql-module.c has beside those of events, each of the file
 * of its name.  Each function adds tables (struct sql_table).
 */
#ifndef PROFLOG_SQL_MODULE_PRIVATE_H
#define PROFLOG_SQL_MODULE_PRIVATE_H

#include "decoder/sql/sql-table.h"

/* The table of calls. */
void sql_add_call_tables (GPtrArray *tables);

/* The tables of heap snapshots of Mono logs: heap_objects and heap_refs. */
void sql_add_heap_tables (GPtrArray *tables);

/* The tables of reports. */
void sql_add_report_tables (GPtrArray *tables);

/* The table of the logs themselves. */
void sql_add_logs_table (GPtrArray *tables);

/* The table of the stacks of logs. */
void sql_add_stacks_table (GPtrArray *tables);

#endif
