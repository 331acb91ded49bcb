/* query-rows.c -- rows as a table of an emitter.
 *
 * JSON and CSV are written row by row.  Formats for people need the widths of columns: their rows
 * are all retained.
 */
#include "config.h"

#include "decoder/output/emitter-values.h"
#include "decoder/query/query-outputs.h"
#include <string.h>

#define FLUSH_BYTES (64 * 1024)
#define SCHEMA "proflog.query/1"

struct rows {
  struct log_command *command;
  sqlite3_stmt *statement;
  int n_columns;
  const char **names;             /* of columns: any text */
  struct emitter_column *columns; /* with names of our own in places that are for programs */
  GArray *cells;                  /* of struct emitter_any, of all rows that are retained */
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

static struct emitter_any
text_cell (const char *text)
{
  return (struct emitter_any){ .type = EMIT_TEXT, .value.text = text };
}

/* A value of SQLite; null is of EMIT_ANY.  Without memory for its bytes it is empty: the next step
 * of the statement fails then. */
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
  case SQLITE_TEXT: {
    const char *const text = (const char *) sqlite3_column_text (s, column);
    return text_cell (g_string_chunk_insert (rows->texts, text != NULL ? text : ""));
  }
  case SQLITE_BLOB: {
    const unsigned char *const bytes = sqlite3_column_blob (s, column);
    const int length = bytes != NULL ? sqlite3_column_bytes (s, column) : 0;
    return text_cell (hexadecimal (rows->texts, bytes, length));
  }
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
  emitter_begin (rows->emitter, SCHEMA);
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

/* ---- row by row ---- */

static void
append_real (GString *out, double real, bool is_json)
{
  g_autofree char *text = emitter_real_text (real); /* NULL for one that is no number */
  g_string_append (out, text != NULL ? text : is_json ? "null" : "");
}

static void
append_cell (GString *out, const struct emitter_any *cell, bool is_json)
{
  if (cell->type == EMIT_TEXT && is_json)
    emitter_append_json_string (out, cell->value.text, strlen (cell->value.text));
  else if (cell->type == EMIT_TEXT)
    emitter_append_csv_text (out, cell->value.text);
  else if (cell->type == EMIT_REAL)
    append_real (out, cell->value.real, is_json);
  else if (cell->type != EMIT_ANY)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, cell->value.change);
  else if (is_json)
    g_string_append (out, "null");
}

static void
append_json_row (struct rows *rows, const struct emitter_any *cells, bool is_first)
{
  g_string_append (rows->out, is_first ? "\n    { " : ",\n    { ");
  for (int i = 0; i < rows->n_columns; i++) {
    const char *name = rows->names[i];
    g_string_append (rows->out, i > 0 ? ", " : "");
    emitter_append_json_string (rows->out, name, strlen (name));
    g_string_append (rows->out, ": ");
    append_cell (rows->out, &cells[i], true);
  }
  g_string_append (rows->out, " }");
}

static void
append_csv_row (struct rows *rows, const struct emitter_any *cells)
{
  for (int i = 0; i < rows->n_columns; i++) {
    g_string_append (rows->out, i > 0 ? "," : "");
    append_cell (rows->out, &cells[i], false);
  }
  g_string_append_c (rows->out, '\n');
}

static void
append_head (struct rows *rows, bool is_json)
{
  if (is_json) {
    g_string_append (rows->out, "{\n  \"schema\": \"" SCHEMA "\",\n  \"rows\": [");
    return;
  }
  for (int i = 0; i < rows->n_columns; i++) {
    g_string_append (rows->out, i > 0 ? "," : "");
    emitter_append_csv_text (rows->out, rows->names[i]);
  }
  g_string_append_c (rows->out, '\n');
}

static int
stream_rows (struct rows *rows)
{
  const bool is_json = rows->command->format == EMITTER_JSON;
  g_autofree struct emitter_any *cells = g_new (struct emitter_any, rows->n_columns);
  bool is_first = true;
  int result;
  append_head (rows, is_json);
  while ((result = sqlite3_step (rows->statement)) == SQLITE_ROW) {
    for (int i = 0; i < rows->n_columns; i++)
      cells[i] = cell_of (rows, i);
    if (is_json)
      append_json_row (rows, cells, is_first);
    else
      append_csv_row (rows, cells);
    is_first = false;
    g_string_chunk_clear (rows->texts);
    if (!flush (rows, FLUSH_BYTES))
      return SQLITE_OK;
  }
  if (is_json)
    g_string_append (rows->out, is_first ? "]\n}\n" : "\n  ]\n}\n");
  return flush (rows, 0) ? result : SQLITE_OK;
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
  rows.names = g_new (const char *, rows.n_columns);
  rows.columns = g_new0 (struct emitter_column, rows.n_columns);
  /* SQLite's own names are gone when the first step prepares the statement again. */
  g_autoptr (GStringChunk) texts = g_string_chunk_new (256);
  for (int i = 0; i < rows.n_columns; i++) {
    g_autofree char *key = g_strdup_printf ("column%d", i + 1);
    rows.names[i] = g_string_chunk_insert (texts, sqlite3_column_name (statement, i));
    g_autofree char *label = emitter_printable (rows.names[i]);
    rows.columns[i] = (struct emitter_column){ .key = g_string_chunk_insert (texts, key),
                                               .label = g_string_chunk_insert (texts, label),
                                               .type = EMIT_ANY };
  }
  const bool is_streamed = command->format == EMITTER_JSON || command->format == EMITTER_CSV;
  const int result = rows.n_columns == 0 ? sqlite3_step (statement)
                     : is_streamed       ? stream_rows (&rows)
                                         : retain_rows (&rows);
  g_array_unref (rows.cells);
  g_string_chunk_free (rows.texts);
  g_string_free (rows.out, TRUE);
  g_free (rows.columns);
  g_free (rows.names);
  return result;
}
