/* sql-heap.h -- the tables of heap snapshots of Mono logs: objects and references. */
#ifndef PROFLOG_SQL_HEAP_H
#define PROFLOG_SQL_HEAP_H

#include "decoder/sql/sql-table.h"

/* Adds the tables heap_objects and heap_refs. */
void sql_add_heap_tables (GPtrArray *tables);

#endif
