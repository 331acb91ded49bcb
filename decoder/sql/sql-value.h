/* sql-value.h -- the value of a column in a row, as cursors state it. */
#ifndef PROFLOG_SQL_VALUE_H
#define PROFLOG_SQL_VALUE_H

#include "decoder/sql/sql-sqlite.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which SQLite sorts them, with whole and real numbers as one. */
enum sql_value_type { SQL_NULL, SQL_NUMBER, SQL_REAL, SQL_TEXT, SQL_BLOB };

/* Null, if it is all 0.  Its bytes are the cursor's, valid until its next call, or `owned`. */
struct sql_value {
  enum sql_value_type type;
  union {
    int64_t number;
    double real;
    size_t length; /* of text and blobs */
  };
  const void *bytes;
  char *owned; /* to be freed with g_free */
};

/* Sets a value, which was null. */
void sql_value_number (struct sql_value *to, uint64_t number); /* as a signed one */
void sql_value_real (struct sql_value *to, double real);
void sql_value_text (struct sql_value *to, const char *text); /* NULL: it remains null */
void sql_value_take (struct sql_value *to, char *text);       /* the same; takes the text */
void sql_value_bytes (struct sql_value *to, enum sql_value_type type, const void *bytes,
                      size_t length);

/* Makes it null again. */
void sql_value_clear (struct sql_value *value);

/* Hands a copy to SQLite. */
void sql_value_put (const struct sql_value *value, sqlite3_context *to);

/* Negative, 0 or positive, as SQLite sorts them. */
int sql_value_compare (const struct sql_value *a, const struct sql_value *b);

#endif
