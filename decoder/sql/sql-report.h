/* sql-report.h -- the tables of reports. */
#ifndef PROFLOG_SQL_REPORT_H
#define PROFLOG_SQL_REPORT_H

#include "decoder/sql/sql-table.h"

/* Adds the tables of reports. */
void sql_add_report_tables (GPtrArray *tables);

#endif
