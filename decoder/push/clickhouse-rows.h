/* clickhouse-rows.h -- rows in the format RowBinary: little-endian numbers, texts with their length
 * in front as a varint, a byte in front of what may be NULL. */
#ifndef PROFLOG_CLICKHOUSE_ROWS_H
#define PROFLOG_CLICKHOUSE_ROWS_H

#include "decoder/push/push-log.h"

struct clickhouse_rows {
  GString *bytes;
  GString *key;         /* of the rows, without their number */
  GString *log;         /* what all rows of a log have */
  uint32_t batch, rows; /* the number of the batch, and its rows */
  size_t value_bytes;   /* of `bytes`, those that are not the same in all rows */
};

void clickhouse_rows_init (struct clickhouse_rows *rows, const struct push_log *log);
void clickhouse_rows_clear (struct clickhouse_rows *rows);

/* Begins a batch of this number. */
void clickhouse_rows_begin (struct clickhouse_rows *rows, uint32_t batch);

/* Adds the row that a statement is at, which selects all columns of the table. */
void clickhouse_rows_add (struct clickhouse_rows *rows, const struct sql_table *table,
                          sqlite3_stmt *statement);

/* Values of other tables. */
void clickhouse_put_number (GString *to, uint64_t number, size_t bytes);
void clickhouse_put_text (GString *to, const char *text, size_t length);

#endif
