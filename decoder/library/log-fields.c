/* log-fields.c -- the event that a log is at: its kind, time, owner, and fields by name. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/library/log-private.h"
#include "decoder/views/ghc/ghc-fields.h"
#include <proflog/mlpd-item.h>
#include <string.h>

static const struct mlpd_item *
mono_event (const struct proflog_log *log)
{
  const struct mlpd_item *item = log->mono_item;
  return item != NULL && item->type == MLPD_ITEM_EVENT ? item : NULL;
}

static const struct ghc_item *
ghc_event (const struct proflog_log *log)
{
  const struct ghc_item *item = log->ghc_item;
  return item != NULL && item->type == GHC_ITEM_EVENT ? item : NULL;
}

const char *
proflog_log_kind (const struct proflog_log *log)
{
  if (mono_event (log) != NULL)
    return mlpd_item_kind (log->mono_item);
  return ghc_event (log) != NULL ? ghc_fields_name (log->ghc_item) : NULL;
}

const char *
proflog_log_damage (const struct proflog_log *log)
{
  if (log->mono_item != NULL)
    return mlpd_item_damage (log->mono_item);
  if (log->ghc_item != NULL)
    return log->ghc_item->type == GHC_ITEM_DAMAGE ? log->ghc_item->damage->message : NULL;
  return log->damage;
}

bool
proflog_log_time (const struct proflog_log *log, uint64_t *ns)
{
  if (mono_event (log) != NULL)
    *ns = log->dump.time;
  else if (ghc_event (log) != NULL)
    *ns = log->ghc_item->time;
  else
    return false;
  return true;
}

bool
proflog_log_thread (const struct proflog_log *log, uint64_t *thread)
{
  if (log->mono_item == NULL || log->mono_item->buffer == NULL)
    return false;
  *thread = log->mono_item->buffer->thread;
  return true;
}

bool
proflog_log_cap (const struct proflog_log *log, unsigned *cap)
{
  if (ghc_event (log) == NULL || log->ghc_item->cap == GHC_NO_CAP)
    return false;
  *cap = log->ghc_item->cap;
  return true;
}

/* ---- fields ---- */

/* A field that is searched, and what was found. */
struct field_query {
  const char *name;
  unsigned depth; /* of lists of more than numbers */
  bool has_number, has_text, has_list;
  uint64_t number;
  unsigned unit; /* of the number: enum mlpd_unit or ghc_unit */
  const char *text;
  size_t length;
  struct mlpd_list list;
  const struct ghc_stack *stack;
};

static bool
is_requested (const struct field_query *q, const char *name)
{
  return q->depth == 0 && strcmp (name, q->name) == 0;
}

static void
find_number (struct field_query *q, const char *name, unsigned unit, uint64_t value)
{
  if (!is_requested (q, name))
    return;
  q->has_number = true;
  q->number = value;
  q->unit = unit;
}

static void
find_text (struct field_query *q, const char *name, const char *text, size_t length)
{
  if (!is_requested (q, name))
    return;
  q->has_text = true;
  q->text = text;
  q->length = length;
}

static void
mono_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  find_number (data, field->name, field->unit, value);
}

static void
mono_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  find_text (data, field->name, text.text, text.length);
}

static void
mono_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  struct field_query *q = data;
  if (!is_requested (q, field->name))
    return;
  q->has_list = true;
  q->list = list;
}

static void
mono_open (const struct mlpd_field *field, size_t count, void *data)
{
  (void) field;
  (void) count;
  ((struct field_query *) data)->depth++;
}

static void
mono_close (const struct mlpd_field *field, void *data)
{
  (void) field;
  ((struct field_query *) data)->depth--;
}

static void
ghc_number (const struct ghc_field *field, uint64_t value, void *data)
{
  find_number (data, field->name, field->unit, value);
}

static void
ghc_text (const struct ghc_field *field, struct ghc_text text, void *data)
{
  find_text (data, field->name, text.text, text.length);
}

/* The texts, each closed by a NUL, as one: the first. */
static void
ghc_texts (const struct ghc_field *field, struct ghc_texts texts, void *data)
{
  struct ghc_text first;
  if (ghc_texts_next (&texts, &first))
    find_text (data, field->name, first.text, first.length);
}

static void
ghc_stack (const struct ghc_field *field, const struct ghc_stack *stack, void *data)
{
  struct field_query *q = data;
  if (!is_requested (q, field->name))
    return;
  q->has_list = true;
  q->stack = stack;
}

static struct field_query
find_field (const struct proflog_log *log, const char *name)
{
  static const struct mlpd_visitor mono_visitor = { .number = mono_number,
                                                    .text = mono_text,
                                                    .list = mono_list,
                                                    .open = mono_open,
                                                    .close = mono_close };
  static const struct ghc_visitor ghc_visitor
      = { ghc_number, ghc_text, ghc_texts, ghc_stack, ghc_text };
  struct field_query q = { .name = name };
  const struct mlpd_item *mono = mono_event (log);
  const struct ghc_item *ghc = ghc_event (log);
  if (mono != NULL)
    mlpd_visit (mono->kind, mono->payload, mono->header->data_version, &mono_visitor, &q);
  else if (ghc != NULL && ghc->kind != GHC_UNKNOWN)
    ghc_visit (ghc->kind, ghc->payload, ghc->header, &ghc_visitor, &q);
  return q;
}

bool
proflog_log_number (const struct proflog_log *log, const char *field, uint64_t *number)
{
  const struct field_query q = find_field (log, field);
  if (q.has_number)
    *number = q.number;
  return q.has_number;
}

const char *
proflog_log_text (const struct proflog_log *log, const char *field)
{
  const struct field_query q = find_field (log, field);
  if (!q.has_text)
    return NULL;
  g_string_truncate (log->text, 0);
  g_string_append_len (log->text, q.text, (gssize) q.length);
  return log->text->str;
}

const char *
proflog_log_name (const struct proflog_log *log, const char *field)
{
  const struct field_query q = find_field (log, field);
  if (!q.has_number)
    return NULL;
  return mono_event (log) != NULL ? dump_name (&log->dump, q.unit, q.number)
                                  : ghc_value_name (q.unit, q.number);
}

const uint64_t *
proflog_log_list (const struct proflog_log *log, const char *field, size_t *count)
{
  const struct field_query q = find_field (log, field);
  if (!q.has_list)
    return NULL;
  g_array_set_size (log->list, 0);
  if (q.stack == NULL)
    g_array_append_vals (log->list, q.list.items, (guint) q.list.count);
  for (size_t i = 0; q.stack != NULL && i < q.stack->count; i++) {
    const uint64_t number = q.stack->items[i];
    g_array_append_val (log->list, number);
  }
  *count = log->list->len;
  return (const uint64_t *) (const void *) log->list->data;
}

const char *
proflog_log_method (const struct proflog_log *log, uint64_t method)
{
  return log->mono != NULL ? dump_name (&log->dump, MLPD_UNIT_METHOD, method) : NULL;
}

void
proflog_log_print (const struct proflog_log *log, GString *out)
{
  if (log->mono_item != NULL) {
    dump_put_line (&log->dump, log->mono_item, out);
  } else if (log->ghc_item != NULL) {
    dump_lines_offset (log->ghc_item->offset, out);
    ghc_fields_append_line (out, log->ghc_item);
  } else if (log->damage != NULL) {
    g_string_append_printf (out, "damage %s", log->damage);
  }
}
