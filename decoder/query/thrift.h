/* thrift.h -- Thrift's compact protocol, as far as the metadata of Parquet needs it. */
#ifndef PROFLOG_THRIFT_H
#define PROFLOG_THRIFT_H

#include <glib.h>
#include <stdint.h>

/* A struct that is being written; those around it are the caller's. */
struct thrift {
  GString *out;
  int last; /* number of its field before */
};

enum thrift_type {
  THRIFT_I32 = 5,
  THRIFT_I64 = 6,
  THRIFT_BINARY = 8,
  THRIFT_LIST = 9,
  THRIFT_STRUCT = 12,
};

void thrift_put_varint (GString *out, uint64_t value);

/* Fields, in ascending order of their numbers. */
void thrift_i32 (struct thrift *t, int field, int32_t value);
void thrift_i64 (struct thrift *t, int field, int64_t value);
void thrift_binary (struct thrift *t, int field, const void *bytes, size_t length);
void thrift_text (struct thrift *t, int field, const char *text);

/* The items of a list follow: structs, each begun with thrift_item and ended with thrift_end, or
 * numbers and texts without a field. */
void thrift_list (struct thrift *t, int field, enum thrift_type items, size_t count);

/* A struct within this one, which is ended with thrift_end. */
struct thrift thrift_struct (struct thrift *t, int field);
struct thrift thrift_item (GString *out);
void thrift_end (struct thrift *t);

/* Items of lists. */
void thrift_item_i32 (GString *out, int32_t value);
void thrift_item_text (GString *out, const char *text);

#endif
