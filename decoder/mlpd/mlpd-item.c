/* mlpd-item.c -- finds the field of an event by its name. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"

#include <proflog/mlpd-item.h>
#include <string.h>

/* A field that is searched, and what was found. */
struct field_query {
  const char *field;
  unsigned depth; /* of lists */
  bool has_number;
  uint64_t number;
  const char *text;
};

static bool
is_requested (const struct field_query *query, const struct mlpd_field *field)
{
  return query->depth == 0 && strcmp (field->name, query->field) == 0;
}

static void
find_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct field_query *query = data;
  if (!is_requested (query, field))
    return;
  query->has_number = true;
  query->number = value;
}

static void
find_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  struct field_query *query = data;
  if (is_requested (query, field))
    query->text = text.text;
}

static void
open_list (const struct mlpd_field *field, size_t count, void *data)
{
  (void) field;
  (void) count;
  ((struct field_query *) data)->depth++;
}

static void
close_list (const struct mlpd_field *field, void *data)
{
  (void) field;
  ((struct field_query *) data)->depth--;
}

static struct field_query
find_field (const struct mlpd_item *item, const char *field)
{
  static const struct mlpd_visitor visitor
      = { .number = find_number, .text = find_text, .open = open_list, .close = close_list };
  struct field_query query = { .field = field };
  if (item->type == MLPD_ITEM_EVENT)
    mlpd_visit (item->kind, item->payload, item->header->data_version, &visitor, &query);
  return query;
}

const char *
mlpd_item_kind (const struct mlpd_item *item)
{
  return item->type == MLPD_ITEM_EVENT ? mlpd_describe (item->kind)->name : NULL;
}

bool
mlpd_item_number (const struct mlpd_item *item, const char *field, uint64_t *number)
{
  const struct field_query query = find_field (item, field);
  if (query.has_number)
    *number = query.number;
  return query.has_number;
}

const char *
mlpd_item_text (const struct mlpd_item *item, const char *field)
{
  return find_field (item, field).text;
}

const char *
mlpd_item_damage (const struct mlpd_item *item)
{
  return item->type == MLPD_ITEM_DAMAGE ? item->damage->message : NULL;
}
