/* cursor-bytes.h -- a cursor over bytes: its state, and numbers of fixed size.
 *
 * To be included by way of cursor.h.
 */
#ifndef PROFLOG_CURSOR_BYTES_H
#define PROFLOG_CURSOR_BYTES_H

#include <proflog/big-endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum cursor_error {
  CURSOR_OK,
  CURSOR_SHORT,     /* the bytes ended */
  CURSOR_MALFORMED, /* no number of 64 bits */
};

struct cursor {
  const uint8_t *at; /* next byte; where the error is, after one */
  const uint8_t *end;
  enum cursor_error error;
  /* The reader made sure that each number has CURSOR_ROOM bytes.  One of more than 8 bytes is an
   * error then, and has to be read by another cursor.  It moves the cursor by CURSOR_OVERRUN,
   * so that a reader that checks how far it came need not check the error. */
  bool unchecked;
  /* Of unchecked cursors whose reader inspected bytes to come: the lengths of the next numbers,
   * four bits each, the first lowest; then 0.  `word` holds these numbers and the next bytes, up to
   * 8, from the bit `shift` on.  All but the word is to be known when compiling: then only the bits
   * of a word that was loaded once are picked out. */
  unsigned len_hints;
  unsigned shift;
  uint64_t word;
  /* Of cursors whose reader inspected a window of bytes: a bit for each byte, from `window` on,
   * that ends a number, from the next number on.  None of them has more than 8 bytes, and as many
   * follow as are read. */
  bool batched;
  uint64_t ends;
  const uint8_t *batch;
  size_t begin; /* of that number, in the window */
};

static inline struct cursor
cursor_over (const uint8_t *bytes, size_t length)
{
  return (struct cursor){ .at = bytes, .end = length != 0 ? bytes + length : bytes };
}

/* Retains the first error, and leaves no bytes, so that no later read goes on after it. */
static inline void
cursor_fail (struct cursor *c, enum cursor_error error)
{
  if (c->error == CURSOR_OK)
    c->error = error;
  c->end = c->at;
}

static inline size_t
cursor_left (const struct cursor *c)
{
  return (size_t) (c->end - c->at);
}

static inline uint64_t
cursor_little_endian (struct cursor *c, unsigned bytes)
{
  if (cursor_left (c) < bytes) {
    cursor_fail (c, CURSOR_SHORT);
    return 0;
  }
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++)
    v |= (uint64_t) c->at[i] << (8 * i);
  c->at += bytes;
  return v;
}

static inline uint8_t
cursor_u8 (struct cursor *c)
{
  return (uint8_t) cursor_little_endian (c, 1);
}

static inline uint16_t
cursor_u16 (struct cursor *c)
{
  return (uint16_t) cursor_little_endian (c, 2);
}

static inline uint32_t
cursor_u32 (struct cursor *c)
{
  return (uint32_t) cursor_little_endian (c, 4);
}

static inline uint64_t
cursor_u64 (struct cursor *c)
{
  return cursor_little_endian (c, 8);
}

static inline uint64_t
cursor_big_endian (struct cursor *c, unsigned bytes)
{
  if (cursor_left (c) < bytes) {
    cursor_fail (c, CURSOR_SHORT);
    return 0;
  }
  const uint64_t v = bytes == 8   ? proflog_be64 (c->at)
                     : bytes == 4 ? proflog_be32 (c->at)
                                  : proflog_be (c->at, bytes);
  c->at += bytes;
  return v;
}

#endif
