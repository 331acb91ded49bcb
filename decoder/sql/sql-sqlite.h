/* sql-sqlite.h -- SQLite's interface: that of the library, or in an extension that of the program
 * which loads it. */
#ifndef PROFLOG_SQL_SQLITE_H
#define PROFLOG_SQL_SQLITE_H

#ifdef PROFLOG_SQLITE_EXTENSION
#include <sqlite3ext.h>
extern const sqlite3_api_routines *sqlite3_api;
#else
#include <sqlite3.h>
#endif

#endif
