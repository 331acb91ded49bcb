/* sql-sqlite.h -- SQLite, for programs and for the extension. */
#ifndef PROFLOG_SQL_SQLITE_H
#define PROFLOG_SQL_SQLITE_H

#include <glib.h>

/* ---- SQLite's interface ---- */

/* That of the library, or in an extension that of the program which loads it. */

#ifdef PROFLOG_SQLITE_EXTENSION
#include <sqlite3ext.h>
extern const sqlite3_api_routines *sqlite3_api;
#else
#include <sqlite3.h>
#endif

/* ---- views of SQL over the tables, under usual names ---- */

struct sql_view {
  const char *name, *doc;
};

/* All of them, up to one without a name. */
extern const struct sql_view sql_views[];

#endif
