/* sql-stacks.h -- the table of the stacks of logs. */
#ifndef PROFLOG_SQL_STACKS_H
#define PROFLOG_SQL_STACKS_H

#include <glib.h>

/* Adds the table (struct sql_table). */
void sql_add_stacks_table (GPtrArray *tables);

#endif
