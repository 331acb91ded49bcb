/* log-fields.c -- the event that a log is at: its kind, time, owner, and fields by name. */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/library/log-private.h"
#include "decoder/mlpd/mlpd-find-field.h"
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
  return log->damage != NULL ? log->damage->message : NULL;
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

/* A field of either format; only the members of its type are set. */
struct found_field {
  bool has_number, has_text, has_list;
  uint64_t number;
  unsigned unit; /* of the number: enum mlpd_unit or ghc_unit */
  const char *text;
  size_t length;
  struct mlpd_list list;
  const struct ghc_stack *stack;
};

static struct found_field
find_in_mono (const struct mlpd_item *item, const char *name)
{
  const struct mlpd_found found = mlpd_find_field (item, name);
  return (struct found_field){ .has_number = found.has_number,
                               .has_text = found.text.text != NULL,
                               .has_list = found.has_list,
                               .number = found.number,
                               .unit = found.unit,
                               .text = found.text.text,
                               .length = found.text.length,
                               .list = found.list };
}

/* The field that ghc_visit searches. */
struct ghc_query {
  const char *name;
  struct found_field found;
};

static void
find_number (const struct ghc_field *field, uint64_t value, void *data)
{
  struct ghc_query *q = data;
  if (strcmp (field->name, q->name) == 0)
    q->found = (struct found_field){ .has_number = true, .number = value, .unit = field->unit };
}

static void
find_text (const struct ghc_field *field, struct ghc_text text, void *data)
{
  struct ghc_query *q = data;
  if (strcmp (field->name, q->name) == 0)
    q->found = (struct found_field){ .has_text = true, .text = text.text, .length = text.length };
}

/* Of several texts the first. */
static void
find_texts (const struct ghc_field *field, struct ghc_texts texts, void *data)
{
  struct ghc_text first;
  if (ghc_texts_next (&texts, &first))
    find_text (field, first, data);
}

static void
find_stack (const struct ghc_field *field, const struct ghc_stack *stack, void *data)
{
  struct ghc_query *q = data;
  if (strcmp (field->name, q->name) == 0)
    q->found = (struct found_field){ .has_list = true, .stack = stack };
}

static struct found_field
find_field (const struct proflog_log *log, const char *name)
{
  static const struct ghc_visitor visitor
      = { find_number, find_text, find_texts, find_stack, find_text };
  const struct ghc_item *ghc = ghc_event (log);
  if (log->mono_item != NULL)
    return find_in_mono (log->mono_item, name);
  struct ghc_query q = { .name = name };
  if (ghc != NULL && ghc->kind != GHC_UNKNOWN)
    ghc_visit (ghc->kind, ghc->payload, ghc->header, &visitor, &q);
  return q.found;
}

bool
proflog_log_number (const struct proflog_log *log, const char *field, uint64_t *number)
{
  const struct found_field q = find_field (log, field);
  if (q.has_number)
    *number = q.number;
  return q.has_number;
}

/* Texts of the event stay until the next one, so a caller may have several at a time. */
const char *
proflog_log_text (const struct proflog_log *log, const char *field)
{
  const struct found_field q = find_field (log, field);
  if (!q.has_text)
    return NULL;
  return g_string_chunk_insert_len (log->texts, q.length != 0 ? q.text : "", (gssize) q.length);
}

const char *
proflog_log_name (const struct proflog_log *log, const char *field)
{
  const struct found_field q = find_field (log, field);
  if (!q.has_number)
    return NULL;
  return mono_event (log) != NULL ? dump_name (&log->dump.names, q.unit, q.number)
                                  : ghc_value_name (q.unit, q.number);
}

/* Numbers of 64 bits; an event has one stack. */
static const uint64_t *
stack_numbers (const struct proflog_log *log, const struct ghc_stack *stack)
{
  g_array_set_size (log->list, 0);
  for (size_t i = 0; i < stack->count; i++) {
    const uint64_t number = stack->items[i];
    g_array_append_val (log->list, number);
  }
  return (const uint64_t *) (const void *) log->list->data;
}

const uint64_t *
proflog_log_list (const struct proflog_log *log, const char *field, size_t *count)
{
  static const uint64_t empty;
  const struct found_field q = find_field (log, field);
  if (!q.has_list)
    return NULL;
  *count = q.stack != NULL ? q.stack->count : q.list.count;
  if (*count == 0)
    return &empty;
  return q.stack != NULL ? stack_numbers (log, q.stack) : q.list.items;
}

const char *
proflog_log_method (const struct proflog_log *log, uint64_t method)
{
  return log->mono != NULL ? dump_name (&log->dump.names, MLPD_UNIT_METHOD, method) : NULL;
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
    static const struct dump_lines lines = { .format = EMITTER_TEXT };
    dump_lines_damage (&lines, log->damage->truncated, log->damage->message, out);
    g_string_truncate (out, out->len - 1); /* the line's end */
  }
}
