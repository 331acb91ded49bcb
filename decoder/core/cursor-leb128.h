/* cursor-leb128.h -- LEB128 numbers, checked and unchecked.
 *
 * The variants for unchecked cursors (struct cursor) are for the fast loops; docs/fast-loops.md
 * lists them.  To be included by way of cursor.h.
 */
#ifndef PROFLOG_CURSOR_LEB128_H
#define PROFLOG_CURSOR_LEB128_H

#include "decoder/core/cursor-bytes.h"
#ifdef __BMI2__
#include <immintrin.h>
#endif

/* The tenth byte of a LEB128 number holds bit 63 alone. */
#define CURSOR_LEB128_LAST_SHIFT 63
#define CURSOR_LEB128_MAX 10

/* Unchecked cursors: see there. */
#define CURSOR_OVERRUN 40
#define CURSOR_ROOM (CURSOR_OVERRUN + 8)

/* A number that an unchecked cursor does not read. */
static inline uint64_t
cursor_overrun (struct cursor *c)
{
  c->at += CURSOR_OVERRUN;
  c->error = CURSOR_MALFORMED;
  return 0;
}

/* Where a number ends, or why it does not. */
struct cursor_number {
  uint64_t value;
  const uint8_t *end; /* NULL: `value` is an enum cursor_error */
};

/* Functions that read in loops must be inlined, or their cursor is held in memory. */
#define CURSOR_INLINE static inline __attribute__ ((always_inline))
#define CURSOR_NOINLINE __attribute__ ((noinline, unused, pure))

/* Long numbers, and those near the end.  By value, so that the cursors of inlined callers can stay
 * in registers. */
static CURSOR_NOINLINE struct cursor_number
cursor_leb128_long (const uint8_t *p, const uint8_t *end, bool is_signed)
{
  uint64_t v = 0;
  for (unsigned shift = 0; p < end; shift += 7) {
    const uint8_t byte = *p++;
    if (shift == CURSOR_LEB128_LAST_SHIFT && byte > 1 && !(is_signed && byte == 0x7f))
      return (struct cursor_number){ CURSOR_MALFORMED, NULL };
    if (shift == CURSOR_LEB128_LAST_SHIFT && is_signed && byte == 1)
      return (struct cursor_number){ CURSOR_MALFORMED, NULL };
    v |= (uint64_t) (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (is_signed && (byte & 0x40) != 0 && shift != CURSOR_LEB128_LAST_SHIFT)
        v |= UINT64_MAX << (shift + 7);
      return (struct cursor_number){ v, p };
    }
  }
  return (struct cursor_number){ CURSOR_SHORT, NULL };
}

CURSOR_INLINE uint64_t
cursor_accept (struct cursor *c, struct cursor_number number)
{
  if (number.end == NULL) {
    cursor_fail (c, (enum cursor_error) number.value);
    return 0;
  }
  c->at = number.end;
  return number.value;
}

/* Whether a LEB128 number can be read without inspecting the end again. */
CURSOR_INLINE bool
cursor_is_unchecked (const struct cursor *c)
{
  return c->unchecked || cursor_left (c) >= CURSOR_LEB128_MAX;
}

/* 8 bytes, the first lowest. */
CURSOR_INLINE uint64_t
cursor_peek_at (const uint8_t *at)
{
  uint64_t word;
  memcpy (&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64 (word);
#endif
  return word;
}

CURSOR_INLINE uint64_t
cursor_peek (const struct cursor *c)
{
  return cursor_peek_at (c->at);
}

/* The low `bytes` LEB128 bytes of a word as a number. */
CURSOR_INLINE uint64_t
cursor_leb128_bits (uint64_t word, unsigned bytes)
{
#ifdef __BMI2__
  if (bytes > 1)
    return _pext_u64 (word, UINT64_C (0x7f7f7f7f7f7f7f7f) >> (64 - 8 * bytes));
#endif
  uint64_t v = word & 0x7f;
  if (bytes > 1)
    v |= word >> 1 & UINT64_C (0x7f) << 7;
  if (bytes > 2)
    v |= word >> 2 & UINT64_C (0x7f) << 14;
  if (bytes > 3)
    v |= word >> 3 & UINT64_C (0x7f) << 21;
  if (bytes > 4)
    v |= word >> 4 & UINT64_C (0x7f) << 28;
  return v;
}

/* The 7 bits of each byte side by side. */
CURSOR_INLINE uint64_t
cursor_leb128_pack (uint64_t word)
{
#ifdef __BMI2__
  return _pext_u64 (word, UINT64_C (0x7f7f7f7f7f7f7f7f));
#else
  word &= UINT64_C (0x7f7f7f7f7f7f7f7f);
  word = (word & UINT64_C (0x007f007f007f007f)) | (word & UINT64_C (0x7f007f007f007f00)) >> 1;
  word = (word & UINT64_C (0x00003fff00003fff)) | (word & UINT64_C (0x3fff00003fff0000)) >> 2;
  return (word & UINT64_C (0x000000000fffffff)) | (word & UINT64_C (0x0fffffff00000000)) >> 4;
#endif
}

CURSOR_INLINE uint64_t
cursor_read_unsigned (struct cursor *c, uint64_t word, unsigned bytes)
{
  c->at += bytes;
  return cursor_leb128_bits (word, bytes);
}

/* The next `bytes` bytes of a cursor's word, a LEB128 number, without its sign. */
CURSOR_INLINE uint64_t
cursor_read_word (struct cursor *c, unsigned bytes)
{
  const unsigned shift = c->shift;
  c->at += bytes;
  c->shift += 8 * bytes;
  if (bytes == 1)
    return (uint8_t) (c->word >> shift);
#ifdef __BMI2__
  if (bytes > 1)
    return _pext_u64 (c->word, UINT64_C (0x7f7f7f7f7f7f7f7f) >> (64 - 8 * bytes) << shift);
#endif
  return cursor_leb128_bits (c->word >> shift, bytes);
}

CURSOR_INLINE int64_t
cursor_read_signed_word (struct cursor *c, unsigned bytes)
{
  if (bytes == 1) { /* by shifts alone */
    const uint64_t word = c->word << (64 - 7 - c->shift);
    c->at++;
    c->shift += 8;
    return (int64_t) word >> (64 - 7);
  }
  const uint64_t sign = UINT64_C (1) << (7 * bytes - 1);
  return (int64_t) ((cursor_read_word (c, bytes) ^ sign) - sign);
}

/* The length of a number that is known. */
CURSOR_INLINE unsigned
cursor_take_length (struct cursor *c)
{
  const unsigned bytes = c->len_hints & 0xf;
  c->len_hints >>= 4;
  return bytes;
}

/* Whether the next number, which is in the cursor's word and not shorter, has this many bytes. */
CURSOR_INLINE bool
cursor_word_has (const struct cursor *c, unsigned bytes)
{
  const unsigned bits = c->shift + 8 * bytes;
  return bits <= 64 && (c->word >> (bits - 8) & 0x80) == 0;
}

/* Of numbers of this many LEB128 bytes: the bits of each byte that are the number's, and its sign.
 * In one object, so that both are found from one register. */
#define CURSOR_BYTES(n) (UINT64_C (0x7f7f7f7f7f7f7f7f) >> (64 - 8 * (n)))
#define CURSOR_SIGN(n) (UINT64_C (1) << (7 * (n) -1))
static const struct {
  uint64_t mask[9], sign[9];
} cursor_leb128 = {
  .mask = { 0, CURSOR_BYTES (1), CURSOR_BYTES (2), CURSOR_BYTES (3), CURSOR_BYTES (4),
            CURSOR_BYTES (5), CURSOR_BYTES (6), CURSOR_BYTES (7), CURSOR_BYTES (8) },
  .sign = { 0, CURSOR_SIGN (1), CURSOR_SIGN (2), CURSOR_SIGN (3), CURSOR_SIGN (4), CURSOR_SIGN (5),
            CURSOR_SIGN (6), CURSOR_SIGN (7), CURSOR_SIGN (8) },
};

/* A number of a batched cursor, without its sign, and how many bytes it has. */
CURSOR_INLINE uint64_t
cursor_read_batched (struct cursor *c, size_t *bytes)
{
  const uint64_t word = cursor_peek_at (c->batch + c->begin);
  const size_t after = (size_t) __builtin_ctzll (c->ends) + 1;
  *bytes = after - c->begin;
  c->ends &= c->ends - 1;
  c->begin = after;
  c->at = c->batch + after;
#ifdef __BMI2__
  return _pext_u64 (word, cursor_leb128.mask[*bytes]);
#else
  return cursor_leb128_pack (word & cursor_leb128.mask[*bytes]);
#endif
}

CURSOR_INLINE uint64_t
cursor_uleb_batched (struct cursor *c)
{
  size_t bytes;
  const uint64_t number = cursor_read_batched (c, &bytes);
  if (number >> 56 != 0) /* which the compiler does not know */
    __builtin_unreachable ();
  return number;
}

CURSOR_INLINE int64_t
cursor_sleb_batched (struct cursor *c)
{
  size_t bytes;
  const uint64_t number = cursor_read_batched (c, &bytes);
  return (int64_t) ((number ^ cursor_leb128.sign[bytes]) - cursor_leb128.sign[bytes]);
}

/* Unsigned LEB128 of up to 10 bytes; one that does not fit 64 bits is malformed.  How long numbers
 * are is foreseen well by a processor: a branch for each length is faster than none. */
CURSOR_INLINE uint64_t
cursor_uleb (struct cursor *c)
{
  if (c->batched)
    return cursor_uleb_batched (c);
  if (c->len_hints != 0)
    return cursor_read_word (c, cursor_take_length (c));
  c->shift = 0;
  if (cursor_is_unchecked (c)) {
    const uint64_t word = cursor_peek (c);
    if ((word & 0x80) == 0)
      return cursor_read_unsigned (c, word, 1);
    if ((word & 0x8000) == 0)
      return cursor_read_unsigned (c, word, 2);
    if ((word & 0x800000) == 0)
      return cursor_read_unsigned (c, word, 3);
    const uint64_t ends = ~word & UINT64_C (0x8080808080808080);
    if (ends != 0) {
      const unsigned bits = ((unsigned) __builtin_ctzll (ends) + 1) / 8 * 7;
      c->at += bits / 7;
      return cursor_leb128_pack (word) << (64 - bits) >> (64 - bits);
    }
    if (c->unchecked)
      return cursor_overrun (c);
  }
  return cursor_accept (c, cursor_leb128_long (c->at, c->end, false));
}

CURSOR_INLINE int64_t
cursor_read_signed (struct cursor *c, uint64_t word, unsigned bytes)
{
  c->at += bytes;
  return (int64_t) (cursor_leb128_bits (word, bytes) << (64 - 7 * bytes)) >> (64 - 7 * bytes);
}

/* Signed LEB128 of up to 10 bytes; one that does not fit 64 bits is malformed. */
CURSOR_INLINE int64_t
cursor_sleb (struct cursor *c)
{
  if (c->batched)
    return cursor_sleb_batched (c);
  if (c->len_hints != 0)
    return cursor_read_signed_word (c, cursor_take_length (c));
  if (c->shift != 0) {
    if (cursor_word_has (c, 1))
      return cursor_read_signed_word (c, 1);
    if (cursor_word_has (c, 2))
      return cursor_read_signed_word (c, 2);
    if (cursor_word_has (c, 3))
      return cursor_read_signed_word (c, 3);
    c->shift = 0;
  }
  if (cursor_is_unchecked (c)) {
    const uint64_t word = cursor_peek (c);
    if ((word & 0x80) == 0)
      return cursor_read_signed (c, word, 1);
    if ((word & 0x8000) == 0)
      return cursor_read_signed (c, word, 2);
    if ((word & 0x800000) == 0)
      return cursor_read_signed (c, word, 3);
    if ((word & 0x80000000) == 0)
      return cursor_read_signed (c, word, 4);
    const uint64_t ends = ~word & UINT64_C (0x8080808080808080);
    if (ends != 0) {
      const unsigned bits = ((unsigned) __builtin_ctzll (ends) + 1) / 8 * 7;
      c->at += bits / 7;
      return (int64_t) (cursor_leb128_pack (word) << (64 - bits)) >> (64 - bits);
    }
    if (c->unchecked)
      return cursor_overrun (c);
  }
  return (int64_t) cursor_accept (c, cursor_leb128_long (c->at, c->end, true));
}

/* A word's first number, which ends at the lowest bit of `ends`. */
CURSOR_INLINE int64_t
cursor_leb128_signed (uint64_t word, uint64_t ends)
{
  const uint64_t last = (uint64_t) __builtin_ctzll (ends), shift = 64 + last / 8 - last;
  return (int64_t) (cursor_leb128_pack (word) << shift) >> shift;
}

/* The same for numbers whose lengths a processor cannot foresee, such as addresses of one kind in
 * places that are far apart: no branch depends on them. */
CURSOR_INLINE int64_t
cursor_sleb_of_any_length (struct cursor *c)
{
  if (c->batched)
    return cursor_sleb_batched (c);
  if (!c->unchecked)
    return cursor_sleb (c);
  const uint64_t word = cursor_peek (c);
  const uint64_t ends = ~word & UINT64_C (0x8080808080808080);
  c->shift = 0;
  if (ends == 0)
    return (int64_t) cursor_overrun (c);
  c->at += ((unsigned) __builtin_ctzll (ends) >> 3) + 1;
  return cursor_leb128_signed (word, ends);
}

/* The same for numbers that most often have 3 bytes, such as those of objects in a nursery. */
CURSOR_INLINE int64_t
cursor_sleb_of_three (struct cursor *c)
{
  if (c->batched)
    return cursor_sleb_batched (c);
  c->shift = 0;
  if (c->unchecked) {
    const uint64_t word = cursor_peek (c);
    if ((word & 0x808080) == 0x8080)
      return cursor_read_signed (c, word, 3);
  }
  return cursor_sleb (c);
}

#endif
