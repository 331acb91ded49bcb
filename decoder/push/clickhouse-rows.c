/* clickhouse-rows.c -- encodes rows. */
#include "config.h"

#include "decoder/push/clickhouse-rows.h"
#include <string.h>

enum { DAY_SECONDS = 24 * 60 * 60 };

/* ---- values ---- */

void
clickhouse_put_number (GString *to, uint64_t number, size_t bytes)
{
  const uint64_t little = GUINT64_TO_LE (number);
  g_string_append_len (to, (const char *) &little, (gssize) bytes);
}

static void
put_varint (GString *to, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    g_string_append_c (to, (char) (number | 0x80));
  g_string_append_c (to, (char) number);
}

void
clickhouse_put_text (GString *to, const char *text, size_t length)
{
  put_varint (to, length);
  g_string_append_len (to, text, (gssize) length);
}

static void
put_string (GString *to, const char *text)
{
  clickhouse_put_text (to, text, strlen (text));
}

/* Every second label: names from 0, values from 1. */
static void
put_labels (GString *to, const GPtrArray *labels, guint from)
{
  put_varint (to, labels->len / 2);
  for (guint i = from; i < labels->len; i += 2)
    put_string (to, labels->pdata[i]);
}

static void
put_value (GString *to, const char *type, sqlite3_stmt *statement, int i)
{
  const int stored = sqlite3_column_type (statement, i);
  g_string_append_c (to, stored == SQLITE_NULL);
  if (stored == SQLITE_NULL)
    return;
  if (strcmp (type, "INTEGER") == 0)
    clickhouse_put_number (to, (uint64_t) sqlite3_column_int64 (statement, i), 8);
  else if (strcmp (type, "REAL") == 0) {
    const double real = sqlite3_column_double (statement, i);
    uint64_t bits;
    memcpy (&bits, &real, sizeof bits);
    clickhouse_put_number (to, bits, 8);
  } else {
    const char *text = sqlite3_column_blob (statement, i); /* NULL: it is empty */
    clickhouse_put_text (to, text != NULL ? text : "",
                         (size_t) sqlite3_column_bytes (statement, i));
  }
}

/* ---- rows ---- */

void
clickhouse_rows_init (struct clickhouse_rows *rows, const struct push_log *log)
{
  *rows = (struct clickhouse_rows){
    .bytes = g_string_new (NULL),
    .key = g_string_new (log->id),
    .log = g_string_new (NULL),
  };
  GString *const to = rows->log;
  clickhouse_put_number (to, log->start_s / DAY_SECONDS, 2);
  clickhouse_put_number (to, log->start_s, 4);
  put_string (to, log->name);
  put_string (to, log->host);
  put_string (to, log->program);
  put_string (to, log->version);
  clickhouse_put_number (to, log->pid, 8);
  put_labels (to, log->labels, 0);
  put_labels (to, log->labels, 1);
}

void
clickhouse_rows_clear (struct clickhouse_rows *rows)
{
  g_string_free (rows->bytes, TRUE);
  g_string_free (rows->key, TRUE);
  g_string_free (rows->log, TRUE);
}

void
clickhouse_rows_begin (struct clickhouse_rows *rows, uint32_t batch)
{
  rows->batch = batch;
  rows->rows = 0;
  rows->value_bytes = 0;
  g_string_truncate (rows->bytes, 0);
  g_string_truncate (rows->key, PUSH_ID_LENGTH);
  clickhouse_put_number (rows->key, batch, 4);
}

void
clickhouse_rows_add (struct clickhouse_rows *rows, const struct sql_table *table,
                     sqlite3_stmt *statement)
{
  g_string_append_len (rows->bytes, rows->key->str, (gssize) rows->key->len);
  clickhouse_put_number (rows->bytes, rows->rows++, 4);
  g_string_append_len (rows->bytes, rows->log->str, (gssize) rows->log->len);
  const size_t begin = rows->bytes->len;
  for (guint i = 1; i < table->columns->len; i++)
    put_value (rows->bytes, g_array_index (table->columns, struct sql_column, i).type, statement,
               (int) i);
  rows->value_bytes += rows->bytes->len - begin;
}
