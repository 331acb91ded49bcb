/* sql-stacks.c -- a row for each stack that has a cost, as in exports of stacks. */
#include "config.h"

#include "decoder/sql/sql-module-private.h"
#include "decoder/output/emitter-values.h"
#include "decoder/sql/sql-events.h"
#include <string.h>

enum source { KIND = 1, ID, COUNT, VALUE, UNIT, DEPTH, FRAMES, FOLDED };

struct stack_rows {
  GPtrArray *kinds; /* of struct export_named_stacks */
  guint kind, node; /* of the row */
  GArray *frames;   /* of uint32_t, of the row */
  GString *text;
};

static const struct export_named_stacks *
kind_of (const struct stack_rows *rows)
{
  return g_ptr_array_index (rows->kinds, rows->kind);
}

static const struct export_node *
node_of (const struct stack_rows *rows)
{
  return &g_array_index (kind_of (rows)->stacks.nodes, struct export_node, rows->node);
}

static void *
open_stacks (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
             GError **error)
{
  (void) table;
  GPtrArray *kinds
      = log->source->stacks (log->source->data, log->name, log->is_eventlog, request->kind, error);
  if (kinds == NULL)
    return NULL;
  struct stack_rows *rows = g_new0 (struct stack_rows, 1);
  rows->kinds = kinds;
  rows->frames = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  rows->text = g_string_new (NULL);
  return rows;
}

static void
close_stacks (void *data)
{
  struct stack_rows *rows = data;
  g_ptr_array_unref (rows->kinds);
  g_array_unref (rows->frames);
  g_string_free (rows->text, TRUE);
  g_free (rows);
}

/* Node 0 is the root.  Nodes without a cost are only the way to others. */
static bool
next_stack (void *data, GError **error)
{
  struct stack_rows *rows = data;
  (void) error;
  for (; rows->kind < rows->kinds->len; rows->kind++, rows->node = 0)
    while (++rows->node < kind_of (rows)->stacks.nodes->len)
      if (node_of (rows)->weight != 0 || node_of (rows)->count != 0) {
        export_stacks_path (&kind_of (rows)->stacks, rows->node, rows->frames);
        return true;
      }
  return false;
}

static void
append_json (const struct stack_rows *rows, GString *text)
{
  const struct export_stacks *stacks = &kind_of (rows)->stacks;
  g_string_append_c (text, '[');
  for (guint i = 0; i < rows->frames->len; i++) {
    const char *name
        = g_ptr_array_index (stacks->frames, g_array_index (rows->frames, uint32_t, i));
    if (i != 0)
      g_string_append_c (text, ',');
    emitter_append_json_string (text, name, strlen (name));
  }
  g_string_append_c (text, ']');
}

static void
put_column (void *data, const struct sql_column *column, struct sql_value *to)
{
  struct stack_rows *rows = data;
  const struct export_stacks *stacks = &kind_of (rows)->stacks;
  g_string_truncate (rows->text, 0);
  switch (column->source) {
  case KIND:
    sql_value_text (to, kind_of (rows)->name);
    break;
  case ID:
    sql_value_number (to, rows->node);
    break;
  case COUNT:
    sql_value_number (to, node_of (rows)->count);
    break;
  case VALUE:
    sql_value_number (to, node_of (rows)->weight);
    break;
  case UNIT:
    sql_value_text (to, stacks->unit);
    break;
  case DEPTH:
    sql_value_number (to, rows->frames->len);
    break;
  case FRAMES:
    append_json (rows, rows->text);
    sql_value_text (to, rows->text->str);
    break;
  default:
    export_stacks_fold (stacks, rows->frames, rows->text);
    sql_value_text (to, rows->text->str);
    break;
  }
}

void
sql_add_stacks_table (GPtrArray *tables)
{
  static const struct sql_cursor_class cursor
      = { .open = open_stacks, .close = close_stacks, .next = next_stack, .column = put_column };
  static const struct sql_column_spec columns[] = {
    { "kind", "TEXT", SQL_ROLE_KIND, KIND, "samples, calls, allocations, locks or exceptions" },
    { "id", "INTEGER", SQL_ROLE_NONE, ID, "of the stack, in its log and kind" },
    { "count", "INTEGER", SQL_ROLE_NONE, COUNT, "samples, calls, objects, waits or throws" },
    { "value", "INTEGER", SQL_ROLE_NONE, VALUE,
      "what export --format folded prints, without callees" },
    { "unit", "TEXT", SQL_ROLE_NONE, UNIT, "of the value: ns, hits, bytes or throws" },
    { "depth", "INTEGER", SQL_ROLE_NONE, DEPTH, "number of frames" },
    { "frames", "TEXT", SQL_ROLE_NONE, FRAMES, "as JSON, the outermost first" },
    { "folded", "TEXT", SQL_ROLE_NONE, FOLDED, "the frames with ';' between them" },
  };
  struct sql_table *table = sql_table_new (
      "stacks", "stacks with their costs, as of export --source KIND", true, true, &cursor);
  sql_table_add_all (table, columns, G_N_ELEMENTS (columns));
  g_ptr_array_add (tables, table);
}
