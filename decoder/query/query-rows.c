/* query-rows.c -- rows as a table of an emitter.
 *
 * JSON and CSV are written row by row.  Formats for people need the widths of columns: their rows
 * are all retained.
 */
#include "config.h"

#include "decoder/query/query-rows.h"
#include <string.h>

#define FLUSH_BYTES (64 * 1024)

struct rows {
  struct log_command *command;
  sqlite3_stmt *statement;
  int n_columns;
  struct emitter_column *columns;
  GArray *cells; /* of struct emitter_any, of all rows that are retained */
  GStringChunk *texts;
  GString *out;
  struct emitter *emitter;
};

/* ---- cells ---- */

static const char *
hexadecimal (GStringChunk *texts, const unsigned char *bytes, int length)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  return g_string_chunk_insert (texts, text->str);
}

/* A value of SQLite; null is of EMIT_ANY. */
static struct emitter_any
cell_of (struct rows *rows, int column)
{
  sqlite3_stmt *s = rows->statement;
  switch (sqlite3_column_type (s, column)) {
  case SQLITE_INTEGER: {
    const sqlite3_int64 number = sqlite3_column_int64 (s, column);
    return number >= 0 ? emitter_any_number (EMIT_NUMBER, (uint64_t) number)
                       : (struct emitter_any){ .type = EMIT_CHANGE, .value.change = number };
  }
  case SQLITE_FLOAT:
    return (struct emitter_any){ .type = EMIT_REAL,
                                 .value.real = sqlite3_column_double (s, column) };
  case SQLITE_TEXT:
    return (struct emitter_any){ .type = EMIT_TEXT,
                                 .value.text = g_string_chunk_insert (
                                     rows->texts, (const char *) sqlite3_column_text (s, column)) };
  case SQLITE_BLOB:
    return (struct emitter_any){ .type = EMIT_TEXT,
                                 .value.text
                                 = hexadecimal (rows->texts, sqlite3_column_blob (s, column),
                                                sqlite3_column_bytes (s, column)) };
  default:
    return (struct emitter_any){ .type = EMIT_ANY };
  }
}

static void
put_row (struct rows *rows, const struct emitter_any *cells)
{
  union emitter_value *values = g_newa (union emitter_value, rows->n_columns);
  for (int i = 0; i < rows->n_columns; i++) {
    if (rows->columns[i].type == EMIT_ANY)
      values[i].any = cells[i].type != EMIT_ANY ? &cells[i] : NULL;
    else if (cells[i].type == EMIT_ANY)
      values[i].text = NULL;
    else
      values[i] = cells[i].value;
  }
  emitter_open_row (rows->emitter, values);
  emitter_close_row (rows->emitter);
}

/* ---- the table ---- */

static void
open_table (struct rows *rows)
{
  rows->emitter = log_command_new_emitter (rows->command, rows->out);
  emitter_begin (rows->emitter, "proflog.query/1");
  emitter_open_table (rows->emitter, "rows", NULL, rows->columns, (size_t) rows->n_columns);
}

/* False if the output fails. */
static bool
flush (struct rows *rows, gsize from)
{
  if (rows->out->len <= from)
    return true;
  progress_clear (&rows->command->progress);
  const bool good = output_write (&rows->command->output, rows->out);
  g_string_truncate (rows->out, 0);
  return good;
}

static bool
close_table (struct rows *rows)
{
  emitter_close_table (rows->emitter, 0);
  emitter_end (rows->emitter);
  emitter_free (rows->emitter);
  return flush (rows, 0);
}

/* The type of a column whose cells are all of one; texts may be null. */
static enum emitter_type
type_of_column (const struct rows *rows, int column)
{
  enum emitter_type type = EMIT_ANY;
  const guint n = rows->cells->len / (guint) rows->n_columns;
  bool has_null = false;
  for (guint row = 0; row < n; row++) {
    const enum emitter_type cell = g_array_index (rows->cells, struct emitter_any,
                                                  row * (guint) rows->n_columns + (guint) column)
                                       .type;
    has_null |= cell == EMIT_ANY;
    if (cell == EMIT_ANY || cell == type)
      continue;
    if (type != EMIT_ANY)
      return EMIT_ANY;
    type = cell;
  }
  return has_null && type != EMIT_TEXT ? EMIT_ANY : type;
}

/* Rows that were retained, for people. */
static bool
write_retained (struct rows *rows)
{
  for (int i = 0; i < rows->n_columns; i++)
    rows->columns[i].type = type_of_column (rows, i);
  open_table (rows);
  for (guint at = 0; at < rows->cells->len; at += (guint) rows->n_columns)
    put_row (rows, &g_array_index (rows->cells, struct emitter_any, at));
  return close_table (rows);
}

static int
retain_rows (struct rows *rows)
{
  int result;
  while ((result = sqlite3_step (rows->statement)) == SQLITE_ROW)
    for (int i = 0; i < rows->n_columns; i++) {
      const struct emitter_any cell = cell_of (rows, i);
      g_array_append_val (rows->cells, cell);
    }
  if (result == SQLITE_DONE && !write_retained (rows))
    return SQLITE_OK;
  return result;
}

static int
stream_rows (struct rows *rows)
{
  int result;
  open_table (rows);
  while ((result = sqlite3_step (rows->statement)) == SQLITE_ROW) {
    g_array_set_size (rows->cells, (guint) rows->n_columns);
    for (int i = 0; i < rows->n_columns; i++)
      g_array_index (rows->cells, struct emitter_any, i) = cell_of (rows, i);
    put_row (rows, &g_array_index (rows->cells, struct emitter_any, 0));
    g_string_chunk_clear (rows->texts);
    if (!flush (rows, FLUSH_BYTES)) {
      result = SQLITE_OK;
      break;
    }
  }
  return close_table (rows) ? result : SQLITE_OK;
}

int
query_write_rows (struct log_command *command, sqlite3_stmt *statement)
{
  struct rows rows = { .command = command,
                       .statement = statement,
                       .n_columns = sqlite3_column_count (statement),
                       .cells = g_array_new (FALSE, FALSE, sizeof (struct emitter_any)),
                       .texts = g_string_chunk_new (4096),
                       .out = g_string_new (NULL) };
  rows.columns = g_new0 (struct emitter_column, rows.n_columns);
  for (int i = 0; i < rows.n_columns; i++)
    rows.columns[i] = (struct emitter_column){ .key = sqlite3_column_name (statement, i),
                                               .label = sqlite3_column_name (statement, i),
                                               .type = EMIT_ANY };
  const bool is_streamed = command->format == EMITTER_JSON || command->format == EMITTER_CSV;
  const int result = rows.n_columns == 0 ? sqlite3_step (statement)
                     : is_streamed       ? stream_rows (&rows)
                                         : retain_rows (&rows);
  g_array_unref (rows.cells);
  g_string_chunk_free (rows.texts);
  g_string_free (rows.out, TRUE);
  g_free (rows.columns);
  return result;
}
