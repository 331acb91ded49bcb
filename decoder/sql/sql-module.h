/* sql-module.h -- the tables of logs as virtual tables of an SQLite connection.
 *
 * Nothing is imported: a statement reads the logs.  The tables are read-only, and there without a
 * statement that creates them.  A connection and its tables belong to one thread at a time.
 */
#ifndef PROFLOG_SQL_MODULE_H
#define PROFLOG_SQL_MODULE_H

#include "decoder/sql/sql-table.h"

/* The logs of a connection and their tables. */
struct sql_module {
  GPtrArray *logs;    /* of struct sql_log *; more may be added between statements */
  GPtrArray *tables;  /* of struct sql_table * */
  bool is_connecting; /* SQLite reads the schema of a table: its requests to an authorizer then are
                         allowed */
};

struct sql_module *sql_module_new (void);
void sql_module_free (struct sql_module *module);

/* Registers all tables.  The module has to live as long as the connection.  An SQLite result code.
 */
int sql_module_register (struct sql_module *module, sqlite3 *db);

/* The table of this name; NULL if there is none. */
const struct sql_table *sql_module_table (const struct sql_module *module, const char *name);

/* Is there a log that the table has rows of? */
bool sql_module_has_rows (const struct sql_module *module, const struct sql_table *table);

#endif
