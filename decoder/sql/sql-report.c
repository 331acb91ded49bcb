/* sql-report.c -- the tables and figures of reports, as those of JSON and CSV: results of analyses.
 * The tables are those that results.def declares. */
#include "config.h"

#include "decoder/sql/sql-module-private.h"
#include "decoder/sql/sql-events.h"
#include "decoder/views/compare/runs.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"
#include <string.h>

/* A row of a table, or a value, of the figures of a log. */
struct report_rows {
  const struct emitter_record_table *table; /* NULL: the log has none */
  const GArray *values;                     /* of struct emitter_record_value */
  guint row, count;                         /* of the next one */
};

enum value_source { VALUE_KEY = 1, VALUE_VALUE };

static void *
open_table (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
            GError **error)
{
  (void) request;
  const struct run_figures *figures = sql_log_figures (log, error);
  if (figures == NULL)
    return NULL;
  struct report_rows *rows = g_new0 (struct report_rows, 1);
  rows->table = emitter_record_table (figures->record, table->key);
  rows->count = rows->table != NULL ? emitter_record_rows (rows->table) : 0;
  return rows;
}

static void *
open_values (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
             GError **error)
{
  (void) table;
  (void) request;
  const struct run_figures *figures = sql_log_figures (log, error);
  if (figures == NULL)
    return NULL;
  struct report_rows *rows = g_new0 (struct report_rows, 1);
  rows->values = emitter_record_values (figures->record);
  rows->count = rows->values->len;
  return rows;
}

static bool
next_row (void *data, GError **error)
{
  struct report_rows *rows = data;
  (void) error;
  return rows->row++ < rows->count;
}

static void
put_value_of (struct sql_value *to, enum emitter_type type, union emitter_value value)
{
  switch (type) {
  case EMIT_NUMBER:
  case EMIT_ADDRESS:
  case EMIT_NS:
  case EMIT_SHARE:
    sql_value_number (to, value.number);
    break;
  case EMIT_CHANGE:
  case EMIT_TIME:
  case EMIT_NS_CHANGE:
    sql_value_number (to, (uint64_t) value.change);
    break;
  case EMIT_REAL:
    sql_value_real (to, value.real);
    break;
  case EMIT_TEXT:
    sql_value_text (to, value.text);
    break;
  case EMIT_ANY: /* null */
    break;
  }
}

static void
put_cell (void *data, const struct sql_column *column, struct sql_value *to)
{
  const struct report_rows *rows = data;
  const guint place = emitter_record_column (rows->table, column->field);
  if (place == rows->table->columns->len)
    return;
  const struct emitter_any *cell = emitter_record_cell (rows->table, rows->row - 1, place);
  put_value_of (to, cell->type, cell->value);
}

static void
put_value (void *data, const struct sql_column *column, struct sql_value *to)
{
  const struct report_rows *rows = data;
  const struct emitter_record_value *value
      = &g_array_index (rows->values, struct emitter_record_value, rows->row - 1);
  if (column->source == VALUE_KEY)
    sql_value_text (to, value->key);
  else
    put_value_of (to, value->type, value->value);
}

/* ---- the tables that there are ---- */

/* Columns without a type of their own have numbers, whole ones or not, and nulls. */
static const char *
type_of (enum emitter_type type)
{
  return type == EMIT_TEXT ? "TEXT" : type == EMIT_REAL || type == EMIT_ANY ? "REAL" : "INTEGER";
}

/* The table that both formats have, or a new one. */
static struct sql_table *
get_table (GPtrArray *tables, const char *key)
{
  static const struct sql_cursor_class cursor
      = { .open = open_table, .close = g_free, .next = next_row, .column = put_cell };
  g_autofree char *name = g_strdelimit (g_strdup (key), ".-", '_');
  struct sql_table *found = sql_table_find (tables, name);
  if (found != NULL && g_strcmp0 (found->key, key) == 0)
    return found;
  g_autofree char *other = g_strconcat ("report_", name, NULL);
  g_autofree char *doc = g_strconcat ("table ", key, " of the report", NULL);
  struct sql_table *table
      = sql_table_new (found != NULL ? other : name, doc, false, false, &cursor);
  table->key = key;
  table->is_small = true;
  g_ptr_array_add (tables, table);
  return table;
}

static bool
has_column (const struct sql_table *table, const char *key)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (g_strcmp0 (g_array_index (table->columns, struct sql_column, i).field, key) == 0)
      return true;
  return false;
}

static void
add_columns (struct sql_table *table, const struct table_shape *shape)
{
  for (size_t c = 0; c < shape->n_columns; c++) {
    const struct emitter_column *column = &shape->columns[c];
    if (column->key != NULL && !has_column (table, column->key))
      sql_table_add (table, column->key, type_of (column->type), SQL_ROLE_NONE, 0, "")->field
          = column->key;
  }
}

static void
add_table (GPtrArray *tables, const struct result_table *of, const struct section *section,
           bool is_eventlog)
{
  g_autoptr (GPtrArray) shapes = section_shapes (section, of);
  struct sql_table *table = shapes->len != 0 ? get_table (tables, of->key) : NULL;
  for (guint i = 0; i < shapes->len; i++)
    add_columns (table, g_ptr_array_index (shapes, i));
  if (table != NULL)
    *(is_eventlog ? &table->of_ghc : &table->of_mono) = true;
}

static void
add_report (GPtrArray *tables, const struct section *const *all, bool is_eventlog)
{
  for (; *all != NULL; all++)
    for (const struct result_table *t = result_tables; t->section != NULL && !(*all)->extra; t++)
      add_table (tables, t, *all, is_eventlog);
}

void
sql_add_report_tables (GPtrArray *tables)
{
  static const struct sql_cursor_class values
      = { .open = open_values, .close = g_free, .next = next_row, .column = put_value };
  struct sql_table *figures = sql_table_new (
      "figures", "single figures of the report, by their keys in its JSON", true, true, &values);
  figures->is_small = true;
  sql_table_add (figures, "key", "TEXT", SQL_ROLE_NONE, VALUE_KEY, "such as gc.pauses.main.p99_ns");
  sql_table_add (figures, "value", "", SQL_ROLE_NONE, VALUE_VALUE, "a number or a text");
  g_ptr_array_add (tables, figures);
  add_report (tables, report_sections, false);
  add_report (tables, ghc_report_sections, true);
}
