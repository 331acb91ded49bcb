/* protobuf.h -- the bytes of messages of protocol buffers.
 *
 * A message within a message has its length in front.  One byte is reserved for that, which most
 * messages need; longer ones are moved when their length is known.
 */
#ifndef PROFLOG_PROTOBUF_H
#define PROFLOG_PROTOBUF_H

#include <glib.h>
#include <stdint.h>

enum { PROTOBUF_VARINT = 0, PROTOBUF_64_BITS = 1, PROTOBUF_BYTES = 2 };

/* Bytes of a varint, at most: 7 bits are in each; and those of a field that is a number. */
#define PROTOBUF_VARINT_BYTES 10
#define PROTOBUF_NUMBER_BYTES (2 * PROTOBUF_VARINT_BYTES)

/* ---- fields one by one ---- */

void protobuf_put_varint (GString *to, uint64_t number);

/* A field that is a number; a negative one is its two's complement. */
void protobuf_put_number (GString *to, unsigned field, uint64_t number);
void protobuf_put_double (GString *to, unsigned field, double number);
void protobuf_put_bytes (GString *to, unsigned field, const char *bytes, size_t length);

/* A text; bytes that are no UTF-8 are replaced. */
void protobuf_put_text (GString *to, unsigned field, const char *text);

/* Begins a message within a message.  Its fields follow, up to protobuf_end, which is given the
 * result.  Messages may be nested. */
size_t protobuf_begin (GString *to, unsigned field);
void protobuf_end (GString *to, size_t begin);

/* ---- several at once, for fields that are written by the million ---- */

/* A place for `bytes` bytes after the last. */
static inline char *
protobuf_reserve (GString *to, size_t bytes)
{
  const size_t length = to->len;
  if (to->allocated_len - length <= bytes) {
    g_string_set_size (to, length + bytes);
    to->len = length;
  }
  return to->str + length;
}

/* The bytes that were reserved are used up to `end`. */
static inline void
protobuf_commit (GString *to, char *end)
{
  *end = 0;
  to->len = (size_t) (end - to->str);
}

static inline char *
protobuf_write_varint (char *at, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    *at++ = (char) (number | 0x80);
  *at++ = (char) number;
  return at;
}

static inline char *
protobuf_write_tag (char *at, unsigned field, unsigned wire)
{
  return protobuf_write_varint (at, field << 3 | wire);
}

static inline char *
protobuf_write_number (char *at, unsigned field, uint64_t number)
{
  return protobuf_write_varint (protobuf_write_tag (at, field, PROTOBUF_VARINT), number);
}

/* Begins a message that has less than 128 bytes; they begin at the returned place. */
static inline char *
protobuf_write_begin (char *at, unsigned field)
{
  return protobuf_write_tag (at, field, PROTOBUF_BYTES) + 1;
}

static inline void
protobuf_write_end (char *begin, const char *end)
{
  begin[-1] = (char) (end - begin);
}

#endif
