/* sql-heap.c -- objects of heap snapshots, their dominators, and their references.
 *
 * A snapshot is one graph in memory, and is read as a whole.  That of the latest statement is
 * retained, so that statements that go from object to object read the log once.
 */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/query/object-queries.h"
#include "decoder/sql/sql-events.h"
#include "decoder/sql/sql-module-private.h"

enum heap_source {
  HEAP_SHOT = 1,
  HEAP_TIME,
  HEAP_OBJECT,
  HEAP_TYPE,
  HEAP_BYTES,
  HEAP_GENERATION,
  HEAP_RETAINED,
  HEAP_DOMINATOR,
  HEAP_REACHED,
  HEAP_TARGET,
  HEAP_OFFSET,
  HEAP_FIELD,
};

#define KEY_REFS "refs"

struct heap_rows {
  struct sql_log *log;
  struct sql_request request;
  bool is_refs;
  struct sql_heap *heap; /* NULL: none is at hand */
  guint shot;            /* the one that is next; 0: none */
  uint32_t object, end;  /* the object of the row, and the one after the last */
  uint32_t reference;    /* of the row */
  bool is_begun;         /* there is a row of this snapshot */
};

/* ---- snapshots ---- */

/* The graph of a snapshot, from 1 on; NULL if it is not there or, with an error, cannot be read.
 * *shots is how many the log has. */
static struct sql_heap *
read_heap (struct sql_log *log, guint shot, guint *shots, GError **error)
{
  const struct shot_selection selection = { .indexes = &shot, .n_indexes = 1 };
  const struct scan_options options = { .graphs = &selection };
  const struct selection whole = { .depth = 0 };
  struct log_input *input = sql_log_open (log, error);
  struct sql_heap *heap = NULL;
  struct summary summary;
  if (input == NULL)
    return NULL;
  summary_init (&summary, &options);
  if (select_objects (&summary, input, 0, &whole, NULL, NULL, error)) {
    summary_finish (&summary);
    *shots = SUMMARY_STATE (&summary, heapshots)->begun;
    struct heap_graph *graph = summary_build_heap (&summary, shot);
    if (graph != NULL)
      heap = sql_heap_new (graph, shot);
  }
  summary_clear (&summary);
  log_input_close (input);
  return heap;
}

static bool
take_heap (struct heap_rows *rows, guint shot, GError **error)
{
  struct sql_log *log = rows->log;
  if ((log->has_shots && shot > log->shots) || shot == log->missing_shot)
    return false;
  if (log->heap == NULL || log->heap->shot != shot) {
    struct sql_heap *heap = read_heap (log, shot, &log->shots, error);
    log->has_shots |= *error == NULL;
    if (heap == NULL) {
      log->missing_shot = shot;
      return false;
    }
    g_clear_pointer (&log->heap, sql_heap_unref);
    log->heap = heap;
  }
  rows->heap = sql_heap_ref (log->heap);
  return true;
}

/* The objects that are requested: all, or one by its address. */
static void
choose_objects (struct heap_rows *rows)
{
  const struct heap_graph *graph = rows->heap->graph;
  rows->object = 0;
  rows->end = graph->n_objects;
  if (!rows->request.has_object)
    return;
  uint32_t low = 0, high = graph->n_objects;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (graph->addresses[middle] < rows->request.object)
      low = middle + 1;
    else
      high = middle;
  }
  const bool is_there = low < graph->n_objects && graph->addresses[low] == rows->request.object;
  rows->object = low;
  rows->end = low + is_there;
}

/* ---- rows ---- */

static void *
open_rows (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
           GError **error)
{
  struct heap_rows *rows = g_new0 (struct heap_rows, 1);
  (void) error;
  rows->log = log;
  rows->request = *request;
  rows->is_refs = g_strcmp0 (table->key, KEY_REFS) == 0;
  rows->shot = request->has_shot ? (guint) MIN (request->shot, G_MAXUINT - 1) : 1;
  return rows;
}

static void
close_rows (void *data)
{
  struct heap_rows *rows = data;
  g_clear_pointer (&rows->heap, sql_heap_unref);
  g_free (rows);
}

/* The next snapshot; false if there is none. */
static bool
next_shot (struct heap_rows *rows, GError **error)
{
  const struct sql_log *log = rows->log;
  g_clear_pointer (&rows->heap, sql_heap_unref);
  while (rows->shot != 0 && (!log->has_shots || rows->shot <= log->shots)) {
    const guint shot = rows->shot++;
    const bool is_there = take_heap (rows, shot, error);
    if (*error != NULL)
      return false;
    if (rows->request.has_shot)
      rows->shot = 0;
    if (!is_there)
      continue;
    choose_objects (rows);
    rows->is_begun = false;
    return true;
  }
  return false;
}

/* The next row of the snapshot that is at hand. */
static bool
next_of_shot (struct heap_rows *rows)
{
  const uint32_t *first = rows->heap->graph->first;
  if (!rows->is_begun) {
    rows->is_begun = true;
    rows->reference = rows->object < rows->end ? first[rows->object] : 0;
  } else if (rows->is_refs) {
    rows->reference++;
  } else {
    rows->object++;
  }
  if (rows->is_refs)
    while (rows->object < rows->end && rows->reference == first[rows->object + 1])
      rows->object++; /* the references of the next one follow */
  return rows->object < rows->end;
}

static bool
next_row (void *data, GError **error)
{
  struct heap_rows *rows = data;
  GError *problem = NULL;
  while (rows->heap == NULL || !next_of_shot (rows))
    if (!next_shot (rows, &problem)) {
      if (problem != NULL)
        g_propagate_error (error, problem);
      return false;
    }
  return true;
}

static void
put_dominator (const struct heap_rows *rows, struct sql_value *to)
{
  const uint32_t dominator = rows->heap->dominators->dominators[rows->object];
  if (dominator != HEAP_ROOTS && dominator != HEAP_UNREACHED)
    sql_value_number (to, rows->heap->graph->addresses[dominator]);
}

static void
put_value (void *data, const struct sql_column *column, struct sql_value *to)
{
  const struct heap_rows *rows = data;
  const struct heap_graph *graph = rows->heap->graph;
  const struct heap_dominators *dominators = rows->heap->dominators;
  switch ((enum heap_source) column->source) {
  case HEAP_SHOT:
    sql_value_number (to, rows->heap->shot);
    break;
  case HEAP_TIME:
    sql_value_number (to, graph->time_ns);
    break;
  case HEAP_OBJECT:
    sql_value_number (to, graph->addresses[rows->object]);
    break;
  case HEAP_TYPE:
    sql_value_text (to, graph->class_list[graph->classes[rows->object]].name);
    break;
  case HEAP_BYTES:
    sql_value_number (to, graph->bytes[rows->object]);
    break;
  case HEAP_GENERATION:
    sql_value_number (to, graph->generations[rows->object]);
    break;
  case HEAP_RETAINED:
    sql_value_number (to, dominators->retained[rows->object]);
    break;
  case HEAP_DOMINATOR:
    put_dominator (rows, to);
    break;
  case HEAP_REACHED:
    sql_value_number (to, dominators->dominators[rows->object] != HEAP_UNREACHED);
    break;
  case HEAP_TARGET:
    sql_value_number (to, graph->addresses[graph->targets[rows->reference]]);
    break;
  case HEAP_OFFSET:
    if (graph->offsets != NULL)
      sql_value_number (to, graph->offsets[rows->reference]);
    break;
  case HEAP_FIELD:
    sql_value_take (to, heap_field_name (graph, rows->object, rows->reference, true));
    break;
  }
}

/* ---- the tables ---- */

static void
add_table (GPtrArray *tables, const char *name, const char *doc, const char *key,
           const struct sql_column_spec *columns, gsize n)
{
  static const struct sql_cursor_class cursor
      = { .open = open_rows, .close = close_rows, .next = next_row, .column = put_value };
  struct sql_table *table = sql_table_new (name, doc, true, false, &cursor);
  table->key = key;
  sql_table_add_all (table, columns, n);
  g_ptr_array_add (tables, table);
}

void
sql_add_heap_tables (GPtrArray *tables)
{
  static const struct sql_column_spec objects[] = {
    { "shot", "INTEGER", SQL_ROLE_SHOT, HEAP_SHOT, "number of the snapshot, from 1" },
    { "time_ns", "INTEGER", SQL_ROLE_NONE, HEAP_TIME, "when it began, on the log's clock" },
    { "object", "INTEGER", SQL_ROLE_OBJECT, HEAP_OBJECT, "address of the object" },
    { "type", "TEXT", SQL_ROLE_NAME, HEAP_TYPE, "name of its class" },
    { "bytes", "INTEGER", SQL_ROLE_NONE, HEAP_BYTES, "its size" },
    { "generation", "INTEGER", SQL_ROLE_NONE, HEAP_GENERATION, "0: nursery, or not known" },
    { "retained_bytes", "INTEGER", SQL_ROLE_NONE, HEAP_RETAINED,
      "bytes that are free when it is gone, with its own" },
    { "dominator", "INTEGER", SQL_ROLE_NONE, HEAP_DOMINATOR,
      "object that all ways from the roots lead through; null: none" },
    { "is_reached", "INTEGER", SQL_ROLE_NONE, HEAP_REACHED, "1: a root leads to it" },
  };
  static const struct sql_column_spec refs[] = {
    { "shot", "INTEGER", SQL_ROLE_SHOT, HEAP_SHOT, "number of the snapshot, from 1" },
    { "object", "INTEGER", SQL_ROLE_OBJECT, HEAP_OBJECT, "address of the object" },
    { "target", "INTEGER", SQL_ROLE_NONE, HEAP_TARGET, "the object that it refers to" },
    { "offset", "INTEGER", SQL_ROLE_NONE, HEAP_OFFSET, "bytes of the reference from its start" },
    { "field", "TEXT", SQL_ROLE_NONE, HEAP_FIELD,
      "field or element that refers to it, as next or [12]; null: not known" },
  };
  add_table (tables, "heap_objects", "objects of heap snapshots", NULL, objects,
             G_N_ELEMENTS (objects));
  add_table (tables, "heap_refs", "references between them", KEY_REFS, refs, G_N_ELEMENTS (refs));
}
