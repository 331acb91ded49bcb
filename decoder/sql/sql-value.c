/* sql-value.c -- values on their way to SQLite. */
#include "config.h"

#include "decoder/sql/sql-value.h"
#include <glib.h>
#include <string.h>

void
sql_value_number (struct sql_value *to, uint64_t number)
{
  to->type = SQL_NUMBER;
  to->number = (int64_t) number;
}

void
sql_value_real (struct sql_value *to, double real)
{
  to->type = SQL_REAL;
  to->real = real;
}

void
sql_value_bytes (struct sql_value *to, enum sql_value_type type, const void *bytes, size_t length)
{
  to->type = type;
  to->bytes = bytes;
  to->length = length;
}

void
sql_value_text (struct sql_value *to, const char *text)
{
  if (text != NULL)
    sql_value_bytes (to, SQL_TEXT, text, strlen (text));
}

void
sql_value_take (struct sql_value *to, char *text)
{
  sql_value_text (to, text);
  to->owned = text;
}

void
sql_value_clear (struct sql_value *value)
{
  g_free (value->owned);
  *value = (struct sql_value){ .type = SQL_NULL };
}

void
sql_value_put (const struct sql_value *value, sqlite3_context *to)
{
  switch (value->type) {
  case SQL_NULL:
    break;
  case SQL_NUMBER:
    sqlite3_result_int64 (to, value->number);
    break;
  case SQL_REAL:
    sqlite3_result_double (to, value->real);
    break;
  case SQL_TEXT:
    sqlite3_result_text64 (to, value->bytes, value->length, SQLITE_TRANSIENT, SQLITE_UTF8);
    break;
  case SQL_BLOB:
    sqlite3_result_blob64 (to, value->bytes, value->length, SQLITE_TRANSIENT);
    break;
  }
}

static bool
is_number (const struct sql_value *value)
{
  return value->type == SQL_NUMBER || value->type == SQL_REAL;
}

static int
compare_numbers (const struct sql_value *a, const struct sql_value *b)
{
  if (a->type == SQL_NUMBER && b->type == SQL_NUMBER)
    return (a->number > b->number) - (a->number < b->number);
  const double x = a->type == SQL_REAL ? a->real : (double) a->number;
  const double y = b->type == SQL_REAL ? b->real : (double) b->number;
  return (x > y) - (x < y);
}

int
sql_value_compare (const struct sql_value *a, const struct sql_value *b)
{
  if (is_number (a) && is_number (b))
    return compare_numbers (a, b);
  if (a->type != b->type)
    return a->type < b->type ? -1 : 1;
  if (a->type == SQL_NULL)
    return 0;
  const size_t length = MIN (a->length, b->length);
  const int order = length != 0 ? memcmp (a->bytes, b->bytes, length) : 0;
  return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}
