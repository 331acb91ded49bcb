/* mlpd-item.c -- the fields of an item, by names. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-find-field.h"

#include <proflog/mlpd-item.h>

const char *
mlpd_item_kind (const struct mlpd_item *item)
{
  return item->type == MLPD_ITEM_EVENT ? mlpd_describe (item->kind)->name : NULL;
}

bool
mlpd_item_number (const struct mlpd_item *item, const char *field, uint64_t *number)
{
  const struct mlpd_found found = mlpd_find_field (item, field);
  if (found.has_number)
    *number = found.number;
  return found.has_number;
}

const char *
mlpd_item_text (const struct mlpd_item *item, const char *field)
{
  return mlpd_find_field (item, field).text.text;
}

const char *
mlpd_item_damage (const struct mlpd_item *item)
{
  return item->type == MLPD_ITEM_DAMAGE ? item->damage->message : NULL;
}
