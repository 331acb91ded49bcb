/* protobuf.c -- writes fields of protocol buffers. */
#include "config.h"

#include "decoder/exports/protobuf.h"
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_64_BITS = 1, WIRE_BYTES = 2 };

void
protobuf_put_varint (GString *to, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    g_string_append_c (to, (char) (number | 0x80));
  g_string_append_c (to, (char) number);
}

static void
put_tag (GString *to, unsigned field, unsigned wire)
{
  protobuf_put_varint (to, field << 3 | wire);
}

void
protobuf_put_number (GString *to, unsigned field, uint64_t number)
{
  put_tag (to, field, WIRE_VARINT);
  protobuf_put_varint (to, number);
}

void
protobuf_put_double (GString *to, unsigned field, double number)
{
  uint64_t bits;
  memcpy (&bits, &number, sizeof bits);
  put_tag (to, field, WIRE_64_BITS);
  for (unsigned shift = 0; shift < 64; shift += 8)
    g_string_append_c (to, (char) (bits >> shift));
}

void
protobuf_put_bytes (GString *to, unsigned field, const char *bytes, size_t length)
{
  put_tag (to, field, WIRE_BYTES);
  protobuf_put_varint (to, length);
  g_string_append_len (to, bytes, (gssize) length);
}

void
protobuf_put_text (GString *to, unsigned field, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  protobuf_put_bytes (to, field, valid, strlen (valid));
}

void
protobuf_put_message (GString *to, unsigned field, GString *message)
{
  protobuf_put_bytes (to, field, message->str, message->len);
  g_string_truncate (message, 0);
}
