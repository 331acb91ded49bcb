/* sql-views.h -- views of SQL over the tables: names that people expect. */
#ifndef PROFLOG_SQL_VIEWS_H
#define PROFLOG_SQL_VIEWS_H

#include <glib.h>
#include "decoder/sql/sql-sqlite.h"

struct sql_view {
  const char *name, *doc;
};

/* Creates them in the temporary database of the connection.  An SQLite result code. */
int sql_views_create (sqlite3 *db);

/* All of them, up to one without a name. */
extern const struct sql_view sql_views[];

#endif
