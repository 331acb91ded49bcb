/* sql-calls.c -- the table of calls: those that are recorded one by one, of Mono logs.
 *
 * A row is a call that was left, or is open at the end of the log, in the order of the ends on each
 * thread.  The stacks are followed as reports do, so that sums are theirs.
 */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/sql/sql-module-private.h"
#include "decoder/sql/sql-events.h"
#include "decoder/sql/sql-mono-scan.h"
#include "decoder/views/mlpd/dump.h"

#define KIND(kind) (UINT64_C (1) << (kind))

enum call_source {
  CALL_START = 1,
  CALL_ELAPSED,
  CALL_THREAD,
  CALL_METHOD,
  CALL_METHOD_NAME,
  CALL_CALLER,
  CALL_CALLER_NAME,
  CALL_DURATION,
  CALL_TOTAL,
  CALL_SELF,
  CALL_DEPTH,
};

struct call_row {
  uint64_t thread, start, ns, self_ns;
  guint method, caller; /* symbols; of no caller -1 */
  guint depth;
  bool is_outermost;
};

#define NO_CALLER ((guint) -1)

struct call_rows {
  struct sql_mono_scan scan;
  struct sql_request request; /* of the statement */
  struct sql_request reading; /* of the scan: calls begin before the times that are requested */
  struct symbols symbols;
  struct threads threads;
  struct calls calls;
  struct thread *thread;
  GArray *left;             /* of struct call_row: by the event that was read last */
  guint next, open_threads; /* of them, and at the end of the log of the threads */
  struct call_row row;
};

static uint64_t
address_of (const struct call_rows *rows, guint method)
{
  return g_array_index (rows->symbols.all[SYMBOL_METHOD], struct symbol, method).address;
}

static void
take_left (void *data, const struct left_call *call)
{
  struct call_rows *rows = data;
  const struct sql_request *r = &rows->request;
  if (r->has_method && address_of (rows, call->method) != r->method)
    return;
  if ((int64_t) call->start < r->from || (int64_t) call->start > r->to)
    return;
  const struct call_frame *caller = calls_top (call->thread);
  const struct call_row row = { .thread = call->thread->id,
                                .start = call->start,
                                .ns = call->ns,
                                .self_ns = call->self_ns,
                                .method = call->method,
                                .caller = caller != NULL ? caller->method : NO_CALLER,
                                .depth = calls_depth (call->thread) + 1,
                                .is_outermost = call->is_outermost };
  g_array_append_val (rows->left, row);
}

static void
close_rows (void *data)
{
  struct call_rows *rows = data;
  sql_mono_scan_clear (&rows->scan);
  symbols_clear (&rows->symbols);
  threads_clear (&rows->threads);
  calls_clear (&rows->calls);
  g_array_unref (rows->left);
  g_free (rows);
}

static void *
open_rows (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
           GError **error)
{
  const bool names = sql_request_uses_source (request, table, CALL_METHOD_NAME)
                     || sql_request_uses_source (request, table, CALL_CALLER_NAME);
  if (names && !sql_log_read_names (log, error))
    return NULL;
  struct call_rows *rows = g_new0 (struct call_rows, 1);
  symbols_init (&rows->symbols);
  threads_init (&rows->threads);
  calls_init (&rows->calls, &(const struct scan_options){ .traces = false });
  rows->calls.left = take_left;
  rows->calls.left_data = rows;
  rows->left = g_array_new (FALSE, FALSE, sizeof (struct call_row));
  rows->request = *request;
  rows->reading = (struct sql_request){ .from = INT64_MIN,
                                        .to = INT64_MAX,
                                        .elapsed_from = INT64_MIN,
                                        .elapsed_to = INT64_MAX,
                                        .has_thread = request->has_thread,
                                        .thread = request->thread };
  const uint64_t kinds = KIND (MLPD_METHOD_ENTER) | KIND (MLPD_METHOD_LEAVE)
                         | KIND (MLPD_METHOD_EXC_LEAVE) | KIND (MLPD_METADATA_THREAD)
                         | SQL_KIND_BUFFERS;
  if (!sql_mono_scan_init (&rows->scan, log, &rows->reading, kinds, false, error)) {
    close_rows (rows);
    return NULL;
  }
  rows->scan.symbols = &rows->symbols;
  return rows;
}

/* ---- following the stacks ---- */

static void
end_buffer (struct call_rows *rows, uint64_t time)
{
  if (rows->thread != NULL)
    rows->thread->end = MAX (rows->thread->end, time);
}

static void
take_item (struct call_rows *rows, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  struct symbols *symbols = &rows->symbols;
  if (item->type == MLPD_ITEM_BUFFER) {
    end_buffer (rows, rows->scan.end_time);
    /* One without events is no sign of life. */
    rows->thread
        = item->buffer->length != 0 ? threads_get (&rows->threads, item->buffer->thread) : NULL;
    return;
  }
  if (rows->thread == NULL)
    return;
  switch (item->kind) {
  case MLPD_METHOD_ENTER:
    calls_enter (&rows->calls, rows->thread,
                 symbols_use (symbols, SYMBOL_METHOD, p->method_enter.method), rows->scan.time);
    break;
  case MLPD_METHOD_LEAVE:
    calls_leave (&rows->calls, rows->thread,
                 symbols_use (symbols, SYMBOL_METHOD, p->method_leave.method), rows->scan.time);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    calls_leave (&rows->calls, rows->thread,
                 symbols_use (symbols, SYMBOL_METHOD, p->method_exc_leave.method), rows->scan.time);
    break;
  default:
    threads_metadata (&rows->threads, &p->metadata_thread,
                      p->metadata_thread.thread == rows->thread->id);
    break;
  }
}

/* At the end of the log: the calls that are open on the next thread; false if there is none. */
static bool
leave_open (struct call_rows *rows)
{
  const GPtrArray *all = rows->threads.all;
  if (rows->open_threads == all->len)
    return false;
  calls_end_thread (&rows->calls, g_ptr_array_index (all, rows->open_threads++));
  return true;
}

static bool
next_row (void *data, GError **error)
{
  struct call_rows *rows = data;
  while (rows->next == rows->left->len) {
    g_array_set_size (rows->left, 0);
    rows->next = 0;
    const struct mlpd_item *item
        = rows->open_threads == 0 ? sql_mono_scan_next (&rows->scan, error) : NULL;
    if (error != NULL && *error != NULL)
      return false;
    if (item != NULL) {
      take_item (rows, item);
      continue;
    }
    end_buffer (rows, rows->scan.time);
    rows->thread = NULL;
    if (!leave_open (rows))
      return false;
  }
  rows->row = g_array_index (rows->left, struct call_row, rows->next++);
  return true;
}

/* ---- values ---- */

static void
put_name (const struct call_rows *rows, guint method, struct sql_value *to)
{
  const struct symbol *symbol
      = &g_array_index (rows->symbols.all[SYMBOL_METHOD], struct symbol, method);
  sql_value_text (to, symbol->name != NULL ? symbol->name
                                           : symbols_current_name (&rows->scan.log->names,
                                                                   SYMBOL_METHOD, symbol->address));
}

static void
put_value (void *data, const struct sql_column *column, struct sql_value *to)
{
  const struct call_rows *rows = data;
  const struct call_row *row = &rows->row;
  switch ((enum call_source) column->source) {
  case CALL_START:
    sql_value_number (to, row->start);
    break;
  case CALL_ELAPSED:
    sql_value_number (to, row->start - rows->scan.first_time);
    break;
  case CALL_THREAD:
    sql_value_number (to, row->thread);
    break;
  case CALL_METHOD:
    sql_value_number (to, address_of (rows, row->method));
    break;
  case CALL_METHOD_NAME:
    put_name (rows, row->method, to);
    break;
  case CALL_CALLER:
    if (row->caller != NO_CALLER)
      sql_value_number (to, address_of (rows, row->caller));
    break;
  case CALL_CALLER_NAME:
    if (row->caller != NO_CALLER)
      put_name (rows, row->caller, to);
    break;
  case CALL_DURATION:
    sql_value_number (to, row->ns);
    break;
  case CALL_TOTAL:
    sql_value_number (to, row->is_outermost ? row->ns : 0);
    break;
  case CALL_SELF:
    sql_value_number (to, row->self_ns);
    break;
  case CALL_DEPTH:
    sql_value_number (to, row->depth);
    break;
  }
}

void
sql_add_call_tables (GPtrArray *tables)
{
  static const struct sql_cursor_class cursor
      = { .open = open_rows, .close = close_rows, .next = next_row, .column = put_value };
  static const struct sql_column_spec columns[] = {
    { "time_ns", "INTEGER", SQL_ROLE_TIME, CALL_START, "when it began, on the log's clock" },
    { "elapsed_ns", "INTEGER", SQL_ROLE_NONE, CALL_ELAPSED, "ns since the log's first buffer" },
    { "thread", "INTEGER", SQL_ROLE_THREAD, CALL_THREAD, "its thread" },
    { "method", "INTEGER", SQL_ROLE_METHOD, CALL_METHOD, "the method that was called" },
    { "method_name", "TEXT", SQL_ROLE_NAME, CALL_METHOD_NAME, "its name" },
    { "caller", "INTEGER", SQL_ROLE_NAME, CALL_CALLER, "the method that called it; null: unknown" },
    { "caller_name", "TEXT", SQL_ROLE_NAME, CALL_CALLER_NAME, "its name" },
    { "duration_ns", "INTEGER", SQL_ROLE_NONE, CALL_DURATION, "ns from its begin to its end" },
    { "total_ns", "INTEGER", SQL_ROLE_NONE, CALL_TOTAL,
      "the same, but 0 within another call of the method, so that sums count recursion once" },
    { "self_ns", "INTEGER", SQL_ROLE_NONE, CALL_SELF, "the same without the calls within it" },
    { "depth", "INTEGER", SQL_ROLE_NONE, CALL_DEPTH, "frames with its own, from the outermost" },
  };
  struct sql_table *table
      = sql_table_new ("calls", "calls that are recorded one by one", true, false, &cursor);
  sql_table_add_all (table, columns, G_N_ELEMENTS (columns));
  g_ptr_array_add (tables, table);
}
