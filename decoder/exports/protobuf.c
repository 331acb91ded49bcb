/* protobuf.c -- writes fields of protocol buffers. */
#include "config.h"

#include "decoder/exports/protobuf.h"
#include <string.h>

void
protobuf_put_varint (GString *to, uint64_t number)
{
  protobuf_commit (to,
                   protobuf_write_varint (protobuf_reserve (to, PROTOBUF_VARINT_BYTES), number));
}

void
protobuf_put_number (GString *to, unsigned field, uint64_t number)
{
  char *at = protobuf_reserve (to, PROTOBUF_NUMBER_BYTES);
  protobuf_commit (to, protobuf_write_number (at, field, number));
}

void
protobuf_put_double (GString *to, unsigned field, double number)
{
  uint64_t bits;
  memcpy (&bits, &number, sizeof bits);
  char *at = protobuf_write_tag (protobuf_reserve (to, PROTOBUF_VARINT_BYTES + sizeof bits), field,
                                 PROTOBUF_64_BITS);
  for (unsigned shift = 0; shift < 64; shift += 8)
    *at++ = (char) (bits >> shift);
  protobuf_commit (to, at);
}

void
protobuf_put_bytes (GString *to, unsigned field, const char *bytes, size_t length)
{
  char *at = protobuf_reserve (to, PROTOBUF_NUMBER_BYTES + length);
  at = protobuf_write_varint (protobuf_write_tag (at, field, PROTOBUF_BYTES), length);
  memcpy (at, bytes, length);
  protobuf_commit (to, at + length);
}

void
protobuf_put_text (GString *to, unsigned field, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  protobuf_put_bytes (to, field, valid, strlen (valid));
}

size_t
protobuf_begin (GString *to, unsigned field)
{
  char *at = protobuf_write_tag (protobuf_reserve (to, PROTOBUF_VARINT_BYTES + 1), field,
                                 PROTOBUF_BYTES);
  protobuf_commit (to, at + 1);
  return to->len;
}

void
protobuf_end (GString *to, size_t begin)
{
  const size_t length = to->len - begin;
  char digits[PROTOBUF_VARINT_BYTES];
  if (length < 0x80) {
    to->str[begin - 1] = (char) length;
    return;
  }
  const size_t bytes = (size_t) (protobuf_write_varint (digits, length) - digits), more = bytes - 1;
  protobuf_reserve (to, more);
  memmove (to->str + begin + more, to->str + begin, length);
  memcpy (to->str + begin - 1, digits, bytes);
  protobuf_commit (to, to->str + begin + more + length);
}
