/* sql-ghc-events.c -- the rows of tables of events, blocks and damage of eventlogs. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/index/ghc-block-skip.h"
#include "decoder/sql/sql-events.h"
#include "decoder/views/ghc/ghc-fields.h"
#include <string.h>

struct ghc_rows {
  struct sql_log *log;
  struct sql_request request;
  struct log_input *input;
  struct ghc_reader *reader;
  const struct ghc_item *item;
  const struct sql_table *table;
  uint64_t read; /* bytes */
  /* With an index of blocks: */
  const struct ghc_block_index *index; /* NULL: all is read */
  struct ghc_block_skip skip;
  uint64_t damages;
  bool has_input_damage;
  struct ghc_item end_item; /* of damage of the compression */
  struct ghc_damage end_damage;
  GString *text;
};

/* ---- going through the log ---- */

static void
close_rows (void *data)
{
  struct ghc_rows *rows = data;
  if (rows->reader != NULL)
    ghc_reader_free (rows->reader);
  if (rows->input != NULL)
    log_input_close (rows->input);
  g_string_free (rows->text, TRUE);
  ghc_block_skip_clear (&rows->skip);
  g_free (rows);
}

/* Is this the table of both formats? */
static bool
is_table (const struct ghc_rows *rows, const char *key)
{
  return g_strcmp0 (rows->table->key, key) == 0;
}

/* Can the block hold requested events? */
static bool
is_needed (const struct ghc_rows *rows, const struct ghc_item *item)
{
  const struct sql_request *r = &rows->request;
  const struct ghc_block_marker *marker = &item->payload->block_marker;
  return (!r->has_cap || marker->cap == r->cap)
         && (int64_t) item->time <= MIN (r->to, r->elapsed_to)
         && (int64_t) marker->end_time >= MAX (r->from, r->elapsed_from);
}

/* ---- blocks of an index ---- */

/* May it have events of the kinds of the table, and of the condition on it? */
static bool
suits_kinds (const struct ghc_rows *rows, const struct ghc_indexed_block *b)
{
  const char *kind = rows->request.kind;
  if (is_table (rows, SQL_KEY_DAMAGE))
    return false;
  if (!is_table (rows, SQL_KEY_EVENTS))
    return ghc_indexed_block_has (b, (unsigned) rows->table->kinds);
  bool suits = kind == NULL || ghc_indexed_block_has (b, GHC_UNKNOWN);
  for (unsigned i = 0; i < GHC_KINDS && !suits; i++)
    suits = ghc_indexed_block_has (b, i) && strcmp (ghc_describe (i)->name, kind) == 0;
  return suits;
}

/* Of the table of blocks no more than the markers are of interest. */
static bool
is_passed (const void *data, const struct ghc_indexed_block *b)
{
  const struct ghc_rows *rows = data;
  const struct sql_request *r = &rows->request;
  return is_table (rows, SQL_KEY_BLOCKS) || !suits_kinds (rows, b)
         || (r->has_cap && b->cap != r->cap)
         || (b->earliest <= INT64_MAX && (int64_t) b->earliest > MIN (r->to, r->elapsed_to))
         || (b->latest <= INT64_MAX && (int64_t) b->latest < MAX (r->from, r->elapsed_from));
}

/* The blocks of an eventlog that is open, if there is a file that states them; else NULL. */
static const struct ghc_block_index *
sql_log_blocks (struct sql_log *log, struct log_input *input)
{
  if (!log->has_blocks)
    log->blocks = ghc_block_index_read (input);
  log->has_blocks = true;
  return log->blocks;
}

static void *
open_rows (const struct sql_table *table, struct sql_log *log, const struct sql_request *request,
           GError **error)
{
  struct ghc_rows *rows = g_new0 (struct ghc_rows, 1);
  rows->log = log;
  rows->table = table;
  rows->request = *request;
  rows->text = g_string_new (NULL);
  rows->input = sql_log_open (log, error);
  if (rows->input == NULL) {
    close_rows (rows);
    return NULL;
  }
  rows->reader = ghc_reader_new ();
  rows->index = sql_log_blocks (log, rows->input);
  if (rows->index != NULL) {
    ghc_block_skip_init (&rows->skip, rows->index, rows->input, rows->reader);
    rows->skip.is_passed = is_passed;
    rows->skip.data = rows;
    rows->skip.one_by_one = is_table (rows, SQL_KEY_BLOCKS);
  }
  return rows;
}

/* ---- items ---- */

static bool
is_event_row (const struct ghc_rows *rows, const struct ghc_item *item)
{
  if (is_table (rows, SQL_KEY_EVENTS))
    return rows->request.kind == NULL || strcmp (ghc_fields_name (item), rows->request.kind) == 0;
  return is_table (rows, SQL_KEY_BLOCKS) ? item->kind == GHC_BLOCK_MARKER
                                         : item->kind == (enum ghc_kind) rows->table->kinds;
}

static bool
is_row (struct ghc_rows *rows, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_DAMAGE) {
    sql_log_add_damage (rows->log, ++rows->damages, item->damage->message);
    return is_table (rows, SQL_KEY_DAMAGE);
  }
  if (item->type != GHC_ITEM_EVENT)
    return false;
  const bool is_damage = is_table (rows, SQL_KEY_DAMAGE);
  if (item->kind == GHC_BLOCK_MARKER
      && ((rows->index != NULL && ghc_block_skip_item (&rows->skip, item))
          || is_table (rows, SQL_KEY_BLOCKS) || (!is_damage && !is_needed (rows, item))))
    ghc_reader_skip_block (rows->reader);
  return !is_damage && is_event_row (rows, item);
}

static const struct ghc_item *
damage_of_input (struct ghc_rows *rows)
{
  const struct log_file_damage *damage
      = rows->has_input_damage ? NULL : log_input_damage (rows->input);
  if (damage == NULL)
    return NULL;
  rows->has_input_damage = true;
  sql_log_add_damage (rows->log, ++rows->damages, damage->message);
  rows->end_damage = (struct ghc_damage){
    .reason = damage->truncated ? GHC_DAMAGE_TRUNCATED : GHC_DAMAGE_CORRUPT,
    .message = damage->message,
  };
  rows->end_item = (struct ghc_item){ .type = GHC_ITEM_DAMAGE, .damage = &rows->end_damage };
  return is_table (rows, SQL_KEY_DAMAGE) ? &rows->end_item : NULL;
}

static bool
push_bytes (struct ghc_rows *rows, GError **error)
{
  const uint8_t *bytes = rows->skip.bytes;
  size_t length;
  if (rows->index != NULL)
    length = ghc_block_skip_read (&rows->skip);
  else if (!log_input_read (rows->input, &bytes, &length, error))
    return false;
  rows->read = rows->index != NULL ? rows->skip.at : rows->read + length;
  sql_log_progress (rows->log, rows->read);
  if (length != 0)
    ghc_reader_push (rows->reader, bytes, length);
  else
    ghc_reader_finish (rows->reader);
  return true;
}

static bool
next_row (void *data, GError **error)
{
  struct ghc_rows *rows = data;
  for (;;)
    switch (ghc_reader_next (rows->reader, &rows->item)) {
    case PROFLOG_EVENT:
      if (is_row (rows, rows->item))
        return true;
      break;
    case PROFLOG_NEED_MORE:
      if (!push_bytes (rows, error))
        return false;
      break;
    case PROFLOG_ERROR:
      g_propagate_error (error, g_error_copy (ghc_reader_error (rows->reader)));
      return false;
    case PROFLOG_END:
      rows->item = damage_of_input (rows);
      return rows->item != NULL;
    }
}

/* ---- values ---- */

struct field_search {
  struct ghc_rows *rows;
  const char *name;
  bool of_name;
  struct sql_value *to;
};

static void
take_number (const struct ghc_field *field, uint64_t value, void *data)
{
  const struct field_search *q = data;
  if (strcmp (field->name, q->name) != 0)
    return;
  if (q->of_name)
    sql_value_text (q->to, ghc_value_name (field->unit, value));
  else
    sql_value_number (q->to, value);
}

static void
take_text (const struct ghc_field *field, struct ghc_text text, void *data)
{
  const struct field_search *q = data;
  if (strcmp (field->name, q->name) == 0)
    sql_value_bytes (q->to, SQL_TEXT, text.text, text.length);
}

static void
put_json (const struct field_search *q, const GString *text)
{
  sql_value_bytes (q->to, SQL_TEXT, text->str, text->len);
}

static void
take_texts (const struct ghc_field *field, struct ghc_texts texts, void *data)
{
  const struct field_search *q = data;
  if (strcmp (field->name, q->name) != 0)
    return;
  g_string_truncate (q->rows->text, 0);
  ghc_fields_append_texts (q->rows->text, texts);
  put_json (q, q->rows->text);
}

static void
take_stack (const struct ghc_field *field, const struct ghc_stack *stack, void *data)
{
  const struct field_search *q = data;
  if (strcmp (field->name, q->name) != 0)
    return;
  g_string_truncate (q->rows->text, 0);
  ghc_fields_append_stack (q->rows->text, stack);
  put_json (q, q->rows->text);
}

static void
take_bytes (const struct ghc_field *field, struct ghc_text bytes, void *data)
{
  const struct field_search *q = data;
  if (strcmp (field->name, q->name) == 0)
    sql_value_bytes (q->to, SQL_BLOB, bytes.text, bytes.length);
}

static void
put_field (struct ghc_rows *rows, const struct sql_column *column, struct sql_value *to)
{
  static const struct ghc_visitor visitor
      = { take_number, take_text, take_texts, take_stack, take_bytes };
  struct field_search q = { rows, ((const struct ghc_field *) column->field)->name,
                            column->source == SQL_EVENT_FIELD_NAME, to };
  ghc_visit (rows->item->kind, rows->item->payload, rows->item->header, &visitor, &q);
}

static void
put_fields (struct ghc_rows *rows, struct sql_value *to)
{
  g_string_assign (rows->text, "{");
  ghc_fields_append (rows->text, rows->item, true);
  g_string_append_c (rows->text, '}');
  sql_value_bytes (to, SQL_TEXT, rows->text->str, rows->text->len);
}

static void
put_value (void *data, const struct sql_column *column, struct sql_value *to)
{
  struct ghc_rows *rows = data;
  const struct ghc_item *item = rows->item;
  const bool is_event = item->type == GHC_ITEM_EVENT;
  const bool is_block = is_event && item->kind == GHC_BLOCK_MARKER;
  switch ((enum sql_event_source) column->source) {
  case SQL_EVENT_OFFSET:
    sql_value_number (to, item->offset);
    break;
  case SQL_EVENT_SIZE:
    sql_value_number (to, item->size);
    break;
  case SQL_EVENT_TIME:
  case SQL_EVENT_ELAPSED:
    if (is_event)
      sql_value_number (to, item->time);
    break;
  case SQL_EVENT_CAP:
    if (is_block && is_table (rows, SQL_KEY_BLOCKS)) {
      if (item->payload->block_marker.cap != GHC_NO_CAP)
        sql_value_number (to, item->payload->block_marker.cap);
    } else if (is_event && item->cap != GHC_NO_CAP)
      sql_value_number (to, item->cap);
    break;
  case SQL_EVENT_KIND:
    sql_value_text (to, ghc_fields_name (item));
    break;
  case SQL_EVENT_FIELDS:
    put_fields (rows, to);
    break;
  case SQL_EVENT_FIELD:
  case SQL_EVENT_FIELD_NAME:
    put_field (rows, column, to);
    break;
  case SQL_EVENT_REASON:
    sql_value_text (to, ghc_fields_reason (item->damage));
    break;
  case SQL_EVENT_MESSAGE:
    sql_value_text (to, item->damage->message);
    break;
  case SQL_EVENT_MISSING:
    sql_value_number (to, item->damage->missing);
    break;
  case SQL_EVENT_LENGTH:
    sql_value_number (to, item->payload->block_marker.block_size);
    break;
  case SQL_EVENT_END:
    sql_value_number (to, item->payload->block_marker.end_time);
    break;
  case SQL_EVENT_THREAD:
    break;
  }
}

const struct sql_cursor_class sql_ghc_events
    = { .open = open_rows, .close = close_rows, .next = next_row, .column = put_value };
