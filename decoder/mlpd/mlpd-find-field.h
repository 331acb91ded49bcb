/* mlpd-find-field.h -- a field of an event by its name. */
#ifndef PROFLOG_MLPD_FIND_FIELD_H
#define PROFLOG_MLPD_FIND_FIELD_H

#include <proflog/mlpd-reader.h>

/* A field; only the members of its type are set. */
struct mlpd_found {
  bool has_number, has_list;
  uint64_t number;
  enum mlpd_unit unit; /* of the number */
  struct mlpd_string text;
  struct mlpd_list list;
};

/* The field of this name, but of those within lists; the texts and lists are the item's. */
struct mlpd_found mlpd_find_field (const struct mlpd_item *item, const char *name);

#endif
