/* mlpd-find-field.c -- visits the fields of an event until one has the name. */
#include "config.h"

#include "decoder/mlpd/mlpd-find-field.h"
#include "decoder/mlpd/mlpd-describe.h"

#include <string.h>

struct field_query {
  const char *name;
  unsigned depth; /* of lists */
  struct mlpd_found found;
};

static bool
is_requested (const struct field_query *query, const struct mlpd_field *field)
{
  return query->depth == 0 && strcmp (field->name, query->name) == 0;
}

static void
find_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct field_query *query = data;
  if (is_requested (query, field))
    query->found = (struct mlpd_found){ .has_number = true, .number = value, .unit = field->unit };
}

static void
find_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  struct field_query *query = data;
  if (is_requested (query, field))
    query->found = (struct mlpd_found){ .text = text };
}

static void
find_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  struct field_query *query = data;
  if (is_requested (query, field))
    query->found = (struct mlpd_found){ .has_list = true, .list = list };
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

struct mlpd_found
mlpd_find_field (const struct mlpd_item *item, const char *name)
{
  static const struct mlpd_visitor visitor = { .number = find_number,
                                               .text = find_text,
                                               .list = find_list,
                                               .open = open_list,
                                               .close = close_list };
  struct field_query query = { .name = name };
  if (item->type == MLPD_ITEM_EVENT)
    mlpd_visit (item->kind, item->payload, item->header->data_version, &visitor, &query);
  return query.found;
}
