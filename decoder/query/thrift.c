/* thrift.c -- fields as differences of their numbers, and numbers in zigzag form. */
#include "config.h"

#include "decoder/query/thrift.h"
#include <string.h>

void
thrift_put_varint (GString *out, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    g_string_append_c (out, (char) (value | 0x80));
  g_string_append_c (out, (char) value);
}

static void
put_zigzag (GString *out, int64_t value)
{
  thrift_put_varint (out, ((uint64_t) value << 1) ^ (uint64_t) (value >> 63));
}

/* No field of Parquet is more than 15 after the one before. */
static void
put_field (struct thrift *t, int field, enum thrift_type type)
{
  g_string_append_c (t->out, (char) ((field - t->last) << 4 | (int) type));
  t->last = field;
}

void
thrift_i32 (struct thrift *t, int field, int32_t value)
{
  put_field (t, field, THRIFT_I32);
  put_zigzag (t->out, value);
}

void
thrift_i64 (struct thrift *t, int field, int64_t value)
{
  put_field (t, field, THRIFT_I64);
  put_zigzag (t->out, value);
}

void
thrift_binary (struct thrift *t, int field, const void *bytes, size_t length)
{
  put_field (t, field, THRIFT_BINARY);
  thrift_put_varint (t->out, length);
  g_string_append_len (t->out, bytes, (gssize) length);
}

void
thrift_text (struct thrift *t, int field, const char *text)
{
  thrift_binary (t, field, text, strlen (text));
}

void
thrift_list (struct thrift *t, int field, enum thrift_type items, size_t count)
{
  put_field (t, field, THRIFT_LIST);
  if (count < 15) {
    g_string_append_c (t->out, (char) (count << 4 | (size_t) items));
    return;
  }
  g_string_append_c (t->out, (char) (0xf0 | (int) items));
  thrift_put_varint (t->out, count);
}

struct thrift
thrift_struct (struct thrift *t, int field)
{
  put_field (t, field, THRIFT_STRUCT);
  return thrift_item (t->out);
}

struct thrift
thrift_item (GString *out)
{
  return (struct thrift){ .out = out };
}

void
thrift_end (struct thrift *t)
{
  g_string_append_c (t->out, 0);
}

void
thrift_item_i32 (GString *out, int32_t value)
{
  put_zigzag (out, value);
}

void
thrift_item_text (GString *out, const char *text)
{
  thrift_put_varint (out, strlen (text));
  g_string_append (out, text);
}
