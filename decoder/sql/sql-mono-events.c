/* sql-mono-events.c -- the rows of tables of events, buffers and damage of Mono logs. */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/sql/sql-events.h"
#include "decoder/sql/sql-mono-scan.h"
#include "decoder/views/mlpd/dump-fields.h"
#include <string.h>

struct mono_rows {
  struct sql_mono_scan scan;
  struct sql_request request;
  struct dump dump; /* for names and texts */
  const struct mlpd_item *item;
  GString *text;
};

/* ---- going through the log ---- */

static void
close_rows (void *data)
{
  struct mono_rows *rows = data;
  sql_mono_scan_clear (&rows->scan);
  dump_clear (&rows->dump);
  g_string_free (rows->text, TRUE);
  g_free (rows);
}

static bool
uses_names (const struct sql_request *request, const struct sql_table *table)
{
  return sql_request_uses_source (request, table, SQL_EVENT_FIELD_NAME)
         || sql_request_uses_source (request, table, SQL_EVENT_FIELDS);
}

/* The kinds of the table that a condition on the kind leaves. */
static uint64_t
requested_kinds (const struct sql_table *table, const struct sql_request *request)
{
  uint64_t kinds = table->kinds;
  for (unsigned kind = 0; request->kind != NULL && kind < MLPD_KINDS; kind++)
    if (strcmp (mlpd_describe (kind)->name, request->kind) != 0)
      kinds &= ~(UINT64_C (1) << kind);
  return kinds;
}

static void *
open_rows (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
           GError **error)
{
  const bool names = uses_names (request, table);
  if (names && !sql_log_read_names (log, error))
    return NULL;
  struct mono_rows *rows = g_new0 (struct mono_rows, 1);
  dump_init (&rows->dump, EMITTER_JSON, NULL);
  rows->text = g_string_new (NULL);
  rows->request = *request;
  /* An address that has had several names has that of the latest announcement before. */
  const bool is_whole = names && log->names_change;
  if (!sql_mono_scan_init (&rows->scan, log, &rows->request, requested_kinds (table, request),
                           is_whole, error)) {
    close_rows (rows);
    return NULL;
  }
  if (names)
    rows->dump.names.later = &log->names;
  if (is_whole)
    rows->scan.symbols = &rows->dump.names.symbols;
  return rows;
}

static bool
next_row (void *data, GError **error)
{
  struct mono_rows *rows = data;
  rows->item = sql_mono_scan_next (&rows->scan, error);
  return rows->item != NULL;
}

/* ---- values ---- */

static void
put_number (struct sql_value *to, const struct mlpd_field *field, uint64_t value)
{
  double real;
  memcpy (&real, &value, sizeof real);
  if (field->unit == MLPD_UNIT_DOUBLE)
    sql_value_real (to, real);
  else
    sql_value_number (to, value);
}

/* The values of a field's name, of whatever form: the first field of an event that has it. */
struct field_search {
  const struct dump *dump;
  const struct mlpd_item *item;
  const struct mlpd_field *field;
  bool of_name, found;
  unsigned depth;
  GString *text;
  struct sql_value *to;
};

static bool
is_found (struct field_search *q, const struct mlpd_field *field)
{
  const bool is_it = q->depth == 0 && !q->found
                     && (field == q->field || strcmp (field->name, q->field->name) == 0);
  q->found |= is_it;
  return is_it;
}

static void
take_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct field_search *q = data;
  if (!is_found (q, field))
    return;
  if (q->of_name)
    sql_value_text (q->to, dump_name (&q->dump->names, field->unit, value));
  else
    put_number (q->to, field, value);
}

static void
take_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  struct field_search *q = data;
  if (is_found (q, field))
    sql_value_bytes (q->to, SQL_TEXT, text.text, text.length);
}

static void
take_composite (struct field_search *q, const struct mlpd_field *field)
{
  g_string_truncate (q->text, 0);
  dump_put_field (q->dump, q->item, field, q->of_name, q->text);
  sql_value_bytes (q->to, SQL_TEXT, q->text->str, q->text->len);
}

static void
take_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  struct field_search *q = data;
  (void) list;
  if (is_found (q, field))
    take_composite (q, field);
}

static void
take_open (const struct mlpd_field *field, size_t count, void *data)
{
  struct field_search *q = data;
  (void) count;
  if (is_found (q, field))
    take_composite (q, field);
  q->depth++;
}

static void
take_close (const struct mlpd_field *field, void *data)
{
  struct field_search *q = data;
  (void) field;
  q->depth--;
}

static void
put_field (struct mono_rows *rows, const struct sql_column *column, struct sql_value *to)
{
  static const struct mlpd_visitor visitor = { .number = take_number,
                                               .text = take_text,
                                               .list = take_list,
                                               .open = take_open,
                                               .close = take_close };
  struct field_search q = { .dump = &rows->dump,
                            .item = rows->item,
                            .field = column->field,
                            .of_name = column->source == SQL_EVENT_FIELD_NAME,
                            .text = rows->text,
                            .to = to };
  mlpd_visit (rows->item->kind, rows->item->payload, rows->item->header->data_version, &visitor,
              &q);
}

static void
put_fields (struct mono_rows *rows, struct sql_value *to)
{
  g_string_assign (rows->text, "{");
  dump_put_event (&rows->dump, rows->item, rows->text);
  g_string_append_c (rows->text, '}');
  sql_value_bytes (to, SQL_TEXT, rows->text->str, rows->text->len);
}

static void
put_value (void *data, const struct sql_column *column, struct sql_value *to)
{
  struct mono_rows *rows = data;
  const struct mlpd_item *item = rows->item;
  const bool in_buffer = item->buffer != NULL;
  switch ((enum sql_event_source) column->source) {
  case SQL_EVENT_OFFSET:
    sql_value_number (to, item->offset);
    break;
  case SQL_EVENT_SIZE:
    sql_value_number (to, item->size);
    break;
  case SQL_EVENT_TIME:
    if (in_buffer)
      sql_value_number (to, rows->scan.time);
    break;
  case SQL_EVENT_ELAPSED:
    if (in_buffer)
      sql_value_number (to, rows->scan.time - rows->scan.first_time);
    break;
  case SQL_EVENT_THREAD:
    if (in_buffer)
      sql_value_number (to, item->buffer->thread);
    break;
  case SQL_EVENT_KIND:
    sql_value_text (to, dump_item_kind (item));
    break;
  case SQL_EVENT_FIELDS:
    put_fields (rows, to);
    break;
  case SQL_EVENT_FIELD:
  case SQL_EVENT_FIELD_NAME:
    put_field (rows, column, to);
    break;
  case SQL_EVENT_REASON:
    sql_value_text (to, dump_damage_reason (item->damage));
    break;
  case SQL_EVENT_MESSAGE:
    sql_value_text (to, item->damage->message);
    break;
  case SQL_EVENT_MISSING:
    sql_value_number (to, item->damage->missing);
    break;
  case SQL_EVENT_LENGTH:
    sql_value_number (to, item->buffer->length);
    break;
  case SQL_EVENT_CAP:
  case SQL_EVENT_END:
    break;
  }
}

const struct sql_cursor_class sql_mono_events
    = { .open = open_rows, .close = close_rows, .next = next_row, .column = put_value };
