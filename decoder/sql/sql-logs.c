/* sql-logs.c -- a row for each log: where it comes from, and how large it is. */
#include "config.h"

#include "decoder/sql/sql-module-private.h"
#include "decoder/sql/sql-events.h"
#include "decoder/views/compare/runs.h"

enum source { FORMAT = 1, HOST, PID, VERSION, VALUE };

/* The row. */
struct logs_row {
  const struct run_figures *figures;
  bool is_over;
};

static void *
open_logs (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
           GError **error)
{
  (void) table;
  (void) request;
  const struct run_figures *figures = sql_log_figures (log, error);
  if (figures == NULL)
    return NULL;
  struct logs_row *row = g_new0 (struct logs_row, 1);
  row->figures = figures;
  return row;
}

static bool
next_log (void *data, GError **error)
{
  struct logs_row *row = data;
  (void) error;
  const bool is_row = !row->is_over;
  row->is_over = true;
  return is_row;
}

static void
put_figure (const struct run_figures *figures, const char *key, struct sql_value *to)
{
  const struct emitter_record_value *v = emitter_record_value (figures->record, key);
  if (v != NULL && v->type == EMIT_TEXT)
    sql_value_text (to, v->value.text);
  else if (v != NULL && emitter_record_is_amount (v->type))
    sql_value_number (to, v->value.number);
}

static void
put_column (void *data, const struct sql_column *column, struct sql_value *to)
{
  const struct run_figures *figures = ((const struct logs_row *) data)->figures;
  switch (column->source) {
  case FORMAT:
    sql_value_text (to, figures->is_eventlog ? "eventlog" : "mlpd");
    break;
  case HOST:
    sql_value_take (to, run_origin_host (figures));
    break;
  case PID:
    if (run_origin_pid (figures) != 0)
      sql_value_number (to, run_origin_pid (figures));
    break;
  case VERSION:
    sql_value_take (to, run_origin_version (figures));
    break;
  default:
    put_figure (figures, column->field, to);
    break;
  }
}

void
sql_add_logs_table (GPtrArray *tables)
{
  static const struct sql_cursor_class cursor
      = { .open = open_logs, .close = g_free, .next = next_log, .column = put_column };
  static const struct sql_column_spec origin[] = {
    { "format", "TEXT", SQL_ROLE_NONE, FORMAT, "mlpd or eventlog" },
    { "host", "TEXT", SQL_ROLE_NONE, HOST,
      "of the folder host=NAME, or as it states; else unknown" },
    { "pid", "INTEGER", SQL_ROLE_NONE, PID, "the process" },
    { "version", "TEXT", SQL_ROLE_NONE, VERSION, "of the program, as in report --by version" },
  };
  static const struct {
    const char *name, *type, *key, *doc;
  } figures[] = {
    { "start_time", "INTEGER", "log.start_time", "ms since 1970" },
    { "duration_ns", "INTEGER", "log.duration_ns", "" },
    { "events", "INTEGER", "log.events", "" },
    { "bytes", "INTEGER", "log.bytes", "uncompressed" },
    { "arguments", "TEXT", "log.arguments",
      "of the profiler of a Mono log, of the program of an eventlog" },
    { "runtime", "TEXT", "log.runtime", "of an eventlog" },
    { "data_version", "INTEGER", "log.data_version", "of a Mono log" },
  };
  struct sql_table *table
      = sql_table_new ("logs", "the logs: where they come from, and when", true, true, &cursor);
  table->is_small = true;
  sql_table_add_all (table, origin, G_N_ELEMENTS (origin));
  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    sql_table_add (table, figures[i].name, figures[i].type, SQL_ROLE_NONE, VALUE, figures[i].doc)
        ->field
        = figures[i].key;
  g_ptr_array_add (tables, table);
}
