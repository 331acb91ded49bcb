/* sql-views.c -- the views that sql-views.def lists. */
#include "config.h"

#include "decoder/sql/sql-sqlite.h"

const struct sql_view sql_views[] = {
#define VIEW(name, doc, sql) { name, doc },
#include "decoder/sql/sql-views.def"
  { NULL, NULL },
};

int
sql_views_create (sqlite3 *db)
{
  static const char *const statements[] = {
#define VIEW(name, doc, sql) "CREATE TEMP VIEW " name " AS " sql,
#include "decoder/sql/sql-views.def"
  };
  int result = SQLITE_OK;
  for (gsize i = 0; i < G_N_ELEMENTS (statements) && result == SQLITE_OK; i++)
    result = sqlite3_exec (db, statements[i], NULL, NULL, NULL);
  return result;
}
