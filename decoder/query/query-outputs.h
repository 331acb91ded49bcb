/* query-outputs.h -- the outputs of a query: lines, the prompt, Parquet files. */
#ifndef PROFLOG_QUERY_OUTPUTS_H
#define PROFLOG_QUERY_OUTPUTS_H

#include "decoder/log/log-command.h"
#include "decoder/query/query.h"
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- rows of a statement in the format of the command ---- */

/* Runs the statement to its end, or until the output fails.  Its last result code; SQLITE_OK if the
 * output failed, which was reported. */
int query_write_rows (struct log_command *command, sqlite3_stmt *statement);

/* ---- statements from a terminal ---- */

/* Reads statements and commands with a prompt, until the end. */
void query_shell (struct query *query);

/* ---- rows as a file of Apache Parquet ---- */

/* Numbers are plain, texts have a dictionary where few differ; pages are compressed by zstd if
 * proflog was built with it.  Memory is bounded by a group of rows. Source of the format: the
 * Parquet specification (parquet.thrift, Encodings.md). */

enum parquet_type {
  PARQUET_INT64,
  PARQUET_DOUBLE,
  PARQUET_TEXT, /* UTF-8 */
};

struct parquet_writer;

/* Creates the file.  NULL with an error. */
struct parquet_writer *parquet_writer_new (const char *path, GError **error);

/* Before the first row. */
void parquet_writer_add_column (struct parquet_writer *writer, const char *name,
                                enum parquet_type type);

/* The next value of the row: each column in turn, of its type or null. */
void parquet_writer_put_null (struct parquet_writer *writer);
void parquet_writer_put_int (struct parquet_writer *writer, int64_t value);
void parquet_writer_put_double (struct parquet_writer *writer, double value);
void parquet_writer_put_text (struct parquet_writer *writer, const char *text, size_t length);

/* Ends the row.  False if writing failed. */
bool parquet_writer_end_row (struct parquet_writer *writer);

/* Writes the end of the file, and frees the writer.  False with an error if it cannot be written;
 * the file is removed then. */
bool parquet_writer_close (struct parquet_writer *writer, GError **error);

#endif
