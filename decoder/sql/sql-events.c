/* sql-events.c -- the tables of events: one of each kind, and those of all kinds and both formats.
 */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/sql/sql-events.h"
#include "decoder/sql/sql-mono-scan.h"
#include "decoder/views/mlpd/dump-names.h"
#include <string.h>

/* ---- the columns of all events ---- */

/* The event's own fields have the names that they have elsewhere. */

static void
add_place (struct sql_table *table, const char *offset, const char *size)
{
  sql_table_add (table, offset, "INTEGER", SQL_ROLE_NONE, SQL_EVENT_OFFSET,
                 "bytes before it in the (uncompressed) log");
  sql_table_add (table, size, "INTEGER", SQL_ROLE_NONE, SQL_EVENT_SIZE, "its bytes in the log");
}

static void
add_times (struct sql_table *table)
{
  sql_table_add (table, "time_ns", "INTEGER", SQL_ROLE_TIME, SQL_EVENT_TIME,
                 "ns on the log's clock");
  sql_table_add (table, "elapsed_ns", "INTEGER", SQL_ROLE_ELAPSED, SQL_EVENT_ELAPSED,
                 "ns since the log's first buffer; of an eventlog since the program began");
}

static void
add_thread (struct sql_table *table, const char *name)
{
  sql_table_add (table, name, "INTEGER", SQL_ROLE_THREAD, SQL_EVENT_THREAD,
                 "thread whose buffer it is in");
}

static void
add_cap (struct sql_table *table, const char *name)
{
  sql_table_add (table, name, "INTEGER", SQL_ROLE_CAP, SQL_EVENT_CAP,
                 "capability whose block it is in");
}

/* ---- Mono ---- */

/* How the values of a field are stored. */
static const char *
type_of_mono (const struct mlpd_field *field)
{
  switch (field->wire) {
  case MLPD_WIRE_STR32:
  case MLPD_WIRE_STRZ:
  case MLPD_WIRE_HELPER_NAME:
  case MLPD_WIRE_BACKTRACE:
  case MLPD_WIRE_PTRS:
  case MLPD_WIRE_OBJS:
  case MLPD_WIRE_REFS:
  case MLPD_WIRE_ROOTS:
  case MLPD_WIRE_FRAMES:
  case MLPD_WIRE_COUNTERS:
  case MLPD_WIRE_COUNTER_VALUES:
    return "TEXT";
  default:
    return field->unit == MLPD_UNIT_DOUBLE ? "REAL" : "INTEGER";
  }
}

static bool
has_field_before (const struct mlpd_description *d, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (d->fields[i].name, name) == 0)
      return true;
  return false;
}

/* A number before the list of roots, up to data version 14. */
static const struct mlpd_field collections
    = { .name = "collections", .doc = "major collections so far" };

static void
add_mono_field (struct sql_table *table, const struct mlpd_field *field)
{
  const char *type = type_of_mono (field);
  const bool is_list = field->wire == MLPD_WIRE_BACKTRACE;
  const bool is_number = strcmp (type, "INTEGER") == 0;
  const bool has_names = is_number && dump_has_names (field->unit);
  const enum sql_role role = is_number && strcmp (field->name, "method") == 0 ? SQL_ROLE_METHOD
                             : has_names                                      ? SQL_ROLE_NAME
                                                                              : SQL_ROLE_NONE;
  sql_table_add (table, field->name, type, role, SQL_EVENT_FIELD, field->doc)->field = field;
  if (field->wire == MLPD_WIRE_ROOTS)
    sql_table_add (table, collections.name, "INTEGER", SQL_ROLE_NONE, SQL_EVENT_FIELD,
                   collections.doc)
        ->field
        = &collections;
  if (!(is_number || is_list) || !dump_has_names (field->unit))
    return;
  g_autofree char *name = g_strconcat (field->name, is_list ? "_names" : "_name", NULL);
  sql_table_add (table, name, "TEXT", has_names ? SQL_ROLE_NAME : SQL_ROLE_NONE,
                 SQL_EVENT_FIELD_NAME, "its name")
      ->field
      = field;
}

static void
add_mono_kind (GPtrArray *tables, enum mlpd_kind kind)
{
  const struct mlpd_description *d = mlpd_describe (kind);
  struct sql_table *table = sql_table_new (d->name, d->doc, true, false, &sql_mono_events);
  table->kinds = UINT64_C (1) << kind;
  add_place (table, has_field_before (d, d->n_fields, "offset") ? "event_offset" : "offset",
             "event_size");
  add_times (table);
  add_thread (table, has_field_before (d, d->n_fields, "thread") ? "buffer_thread" : "thread");
  for (size_t i = 0; i < d->n_fields; i++) {
    const struct mlpd_field *field = &d->fields[i];
    if (field->wire != MLPD_WIRE_TIME && field->wire != MLPD_WIRE_MTYPE
        && !has_field_before (d, i, field->name))
      add_mono_field (table, field);
  }
  g_ptr_array_add (tables, table);
}

/* ---- GHC ---- */

static void
add_ghc_field (struct sql_table *table, const struct ghc_field *field)
{
  const bool is_number = field->wire <= GHC_WIRE_U64;
  const bool has_names = is_number && ghc_unit_has_names (field->unit);
  sql_table_add (table, field->name,
                 is_number                       ? "INTEGER"
                 : field->wire == GHC_WIRE_BYTES ? "BLOB"
                                                 : "TEXT",
                 has_names ? SQL_ROLE_NAME : SQL_ROLE_NONE, SQL_EVENT_FIELD, field->doc)
      ->field
      = field;
  if (!has_names)
    return;
  g_autofree char *name = g_strconcat (field->name, "_name", NULL);
  sql_table_add (table, name, "TEXT", SQL_ROLE_NAME, SQL_EVENT_FIELD_NAME, "its name")->field
      = field;
}

static bool
has_ghc_field_before (const struct ghc_description *d, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (d->fields[i].name, name) == 0)
      return true;
  return false;
}

static void
add_ghc_kind (GPtrArray *tables, enum ghc_kind kind)
{
  const struct ghc_description *d = ghc_describe (kind);
  struct sql_table *table = sql_table_new (d->name, d->doc, false, true, &sql_ghc_events);
  table->kinds = kind;
  add_place (table, "offset", "event_size");
  add_times (table);
  add_cap (table, has_ghc_field_before (d, d->n_fields, "cap") ? "block_cap" : "cap");
  for (size_t i = 0; i < d->n_fields; i++)
    if (!has_ghc_field_before (d, i, d->fields[i].name))
      add_ghc_field (table, &d->fields[i]);
  g_ptr_array_add (tables, table);
}

/* ---- both ---- */

struct any_rows {
  const struct sql_cursor_class *cursor;
  void *rows;
};

static void *
open_any (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
          GError **error)
{
  const struct sql_cursor_class *cursor = log->is_eventlog ? &sql_ghc_events : &sql_mono_events;
  void *rows = cursor->open (table, log, request, error);
  if (rows == NULL)
    return NULL;
  struct any_rows *any = g_new (struct any_rows, 1);
  *any = (struct any_rows){ cursor, rows };
  return any;
}

static void
close_any (void *data)
{
  struct any_rows *any = data;
  any->cursor->close (any->rows);
  g_free (any);
}

static bool
next_any (void *data, GError **error)
{
  struct any_rows *any = data;
  return any->cursor->next (any->rows, error);
}

static void
put_any (void *data, const struct sql_column *column, struct sql_value *to)
{
  struct any_rows *any = data;
  any->cursor->column (any->rows, column, to);
}

static const struct sql_cursor_class any_events
    = { .open = open_any, .close = close_any, .next = next_any, .column = put_any };

static struct sql_table *
add_any (GPtrArray *tables, const char *name, const char *doc, uint64_t mono_kinds)
{
  struct sql_table *table = sql_table_new (name, doc, true, true, &any_events);
  table->kinds = mono_kinds;
  table->key = name;
  add_place (table, "offset", strcmp (name, SQL_KEY_EVENTS) == 0 ? "event_size" : "size");
  g_ptr_array_add (tables, table);
  return table;
}

static void
add_of_both (GPtrArray *tables)
{
  struct sql_table *events = add_any (tables, SQL_KEY_EVENTS, "events of all kinds", SQL_KINDS_ALL);
  add_times (events);
  add_thread (events, "thread");
  add_cap (events, "cap");
  sql_table_add (events, "kind", "TEXT", SQL_ROLE_KIND, SQL_EVENT_KIND, "the kind of event");
  sql_table_add (events, "fields", "TEXT", SQL_ROLE_NONE, SQL_EVENT_FIELDS,
                 "its fields, an object of JSON");
  struct sql_table *blocks = add_any (
      tables, SQL_KEY_BLOCKS, "buffers of Mono logs, blocks of eventlogs", SQL_KIND_BUFFERS);
  add_times (blocks);
  add_thread (blocks, "thread");
  add_cap (blocks, "cap");
  sql_table_add (blocks, "length", "INTEGER", SQL_ROLE_NONE, SQL_EVENT_LENGTH,
                 "bytes of its events; of an eventlog with its marker");
  sql_table_add (blocks, "end_ns", "INTEGER", SQL_ROLE_NONE, SQL_EVENT_END,
                 "eventlogs: when the block ended");
  struct sql_table *damage
      = add_any (tables, SQL_KEY_DAMAGE, "what cannot be read, or is lost", SQL_KIND_DAMAGE);
  sql_table_add (damage, "reason", "TEXT", SQL_ROLE_NONE, SQL_EVENT_REASON,
                 "truncated, corrupt, unknown, other-log, lost");
  sql_table_add (damage, "missing", "INTEGER", SQL_ROLE_NONE, SQL_EVENT_MISSING,
                 "bytes that should have followed the end; 0: unknown");
  sql_table_add (damage, "message", "TEXT", SQL_ROLE_NONE, SQL_EVENT_MESSAGE, "the problem");
}

void
sql_add_event_tables (GPtrArray *tables)
{
  add_of_both (tables);
  for (unsigned kind = 0; kind < MLPD_KINDS; kind++)
    add_mono_kind (tables, kind);
  for (unsigned kind = 0; kind < GHC_KINDS; kind++)
    if (kind != GHC_UNKNOWN)
      add_ghc_kind (tables, kind);
}
