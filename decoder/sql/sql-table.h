/* sql-table.h -- a table over logs: its columns, its kind of cursor, and the rows that are
 * requested.
 *
 * A table has rows of each log of its formats, one log after the other.  Conditions of a statement
 * that a cursor can use come as a request: rows that do not meet it may be left out, those that
 * meet it never are; SQLite applies the conditions again.
 */
#ifndef PROFLOG_SQL_TABLE_H
#define PROFLOG_SQL_TABLE_H

#include "decoder/sql/sql-log.h"
#include "decoder/sql/sql-value.h"

/* The use of a condition on a column for a cursor. */
enum sql_role {
  SQL_ROLE_NONE,
  SQL_ROLE_NAME, /* nothing, but its values are few: names and columns that have one */
  SQL_ROLE_LOG,
  SQL_ROLE_TIME,    /* ns on the log's clock */
  SQL_ROLE_ELAPSED, /* ns since the log's first buffer */
  SQL_ROLE_THREAD,
  SQL_ROLE_CAP,
  SQL_ROLE_KIND,
  SQL_ROLE_METHOD,
  SQL_ROLE_SHOT,
  SQL_ROLE_OBJECT,
};

/* A column.  The first one of each table is the log, which is no value of the cursor's. */
struct sql_column {
  char *name;
  const char *type; /* "INTEGER", "REAL", "TEXT", "BLOB"; "": any */
  enum sql_role role;
  char *doc;
  unsigned source;   /* the cursor's */
  const void *field; /* likewise: of an event */
};

struct sql_request {
  int64_t from, to;                 /* from <= time <= to */
  int64_t elapsed_from, elapsed_to; /* the same of the other clock */
  bool has_thread, has_cap, has_method, has_shot, has_object;
  uint64_t thread, cap, method, shot, object;
  const char *kind; /* NULL: all */
  uint64_t columns; /* a bit each: those that are used; the last one stands for all beyond */
};

struct sql_table;

/* A cursor over one log. */
struct sql_cursor_class {
  /* NULL with an error. */
  void *(*open) (const struct sql_table *table, struct sql_log *log,
                 const struct sql_request *request, GError **error);
  void (*close) (void *cursor);
  /* The next row; false at the end or, with an error set, if it cannot be read. */
  bool (*next) (void *cursor, GError **error);
  /* Sets a value that is null. */
  void (*column) (void *cursor, const struct sql_column *column, struct sql_value *to);
};

struct sql_table {
  char *name;
  char *doc;
  bool of_mono, of_ghc; /* logs that it has rows of */
  const struct sql_cursor_class *cursor;
  GArray *columns; /* of struct sql_column; the first is the log */
  bool is_small;   /* its rows are in memory, or soon are */
  uint64_t kinds;  /* the cursor's */
  const char *key; /* the cursor's */
};

/* A table without columns but the log. */
struct sql_table *sql_table_new (const char *name, const char *doc, bool of_mono, bool of_ghc,
                                 const struct sql_cursor_class *cursor);
void sql_table_free (struct sql_table *table);

/* The table of this name, in letters of any case; NULL if there is none. */
struct sql_table *sql_table_find (const GPtrArray *tables, const char *name);

/* Has the table rows of logs of this format? */
bool sql_table_is_of (const struct sql_table *table, const struct sql_log *log);

/* Is it one of those that leave with a log?  The table of all kinds has nothing that their own
 * tables lack. */
bool sql_table_is_exported (const struct sql_table *table, const struct sql_log *log);

/* Adds a column, whose name no other one of the table may have. */
struct sql_column *sql_table_add (struct sql_table *table, const char *name, const char *type,
                                  enum sql_role role, unsigned source, const char *doc);

/* Columns of constant tables. */
struct sql_column_spec {
  const char *name, *type;
  enum sql_role role;
  unsigned source;
  const char *doc;
};

void sql_table_add_all (struct sql_table *table, const struct sql_column_spec *columns, gsize n);

/* Does the request use a column with this source? */
bool sql_request_uses_source (const struct sql_request *request, const struct sql_table *table,
                              unsigned source);

#endif
