/* cursor.h -- reads little-endian, big-endian and LEB128 numbers and strings within bounds.
 *
 * The first error stays: reads after it give 0 and move nothing, so that who reads tests once
 * per event.  Too few bytes and senseless bytes are told apart: the first may be cured by more
 * input.
 */
#ifndef PROFLOG_CURSOR_H
#define PROFLOG_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

enum cursor_error {
  CURSOR_OK,
  CURSOR_SHORT,     /* the bytes ended */
  CURSOR_MALFORMED, /* no number of 64 bits */
};

struct cursor {
  const uint8_t *at; /* next byte; where the error is, after one */
  const uint8_t *end;
  enum cursor_error error;
  /* Whoever reads made sure that each number has CURSOR_ROOM bytes.  One of more than 8 bytes is an
   * error then, and has to be read by another cursor.  It moves the cursor by CURSOR_TOO_FAR, so
   * that whoever looks at how far it came need not look at the error. */
  bool roomy;
  /* Of roomy cursors whose reader looked at bytes to come: the lengths of the next numbers, four
   * bits each, the first lowest; then 0.  `word` holds these numbers and what follows, up to 8
   * bytes, from the bit `shift` on.  All but the word is to be known when compiling: then nothing
   * is left of it but picking bits out of a word that was loaded once. */
  unsigned known;
  unsigned shift;
  uint64_t word;
  /* Of cursors whose reader looked at a window of bytes: a bit for each byte, from `window` on,
   * that ends a number, from the next number on.  None of them has more than 8 bytes, and as many
   * follow as are read. */
  bool windowed;
  uint64_t ends;
  const uint8_t *window;
  size_t begin; /* of that number, in the window */
};

static inline struct cursor
cursor_over (const uint8_t *bytes, size_t length)
{
  return (struct cursor){ .at = bytes, .end = bytes + length };
}

/* Keeps the first error, and leaves no bytes, so that no later read goes on behind it. */
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
  uint64_t v = 0;
  if (bytes == 8) { /* one load each, where the size is known when compiling */
    memcpy (&v, c->at, 8);
    v = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64 (v) : v;
  } else if (bytes == 4) {
    uint32_t w;
    memcpy (&w, c->at, 4);
    v = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32 (w) : w;
  } else {
    for (unsigned i = 0; i < bytes; i++)
      v = v << 8 | c->at[i];
  }
  c->at += bytes;
  return v;
}

/* The tenth byte of a LEB128 number holds bit 63 alone. */
#define CURSOR_LEB128_LAST_SHIFT 63
#define CURSOR_LEB128_MAX 10

/* Roomy cursors: see there. */
#define CURSOR_TOO_FAR 40
#define CURSOR_ROOM (CURSOR_TOO_FAR + 8)

/* A number that a roomy cursor does not read. */
static inline uint64_t
cursor_too_far (struct cursor *c)
{
  c->at += CURSOR_TOO_FAR;
  c->error = CURSOR_MALFORMED;
  return 0;
}

/* Where a number ends, or why it does not. */
struct cursor_number {
  uint64_t value;
  const uint8_t *end; /* NULL: `value` is an enum cursor_error */
};

/* What reads in loops must be inlined, or its cursor is kept in memory. */
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
cursor_take (struct cursor *c, struct cursor_number number)
{
  if (number.end == NULL) {
    cursor_fail (c, (enum cursor_error) number.value);
    return 0;
  }
  c->at = number.end;
  return number.value;
}

/* Whether a LEB128 number can be read without looking at the end again. */
CURSOR_INLINE bool
cursor_is_roomy (const struct cursor *c)
{
  return c->roomy || cursor_left (c) >= CURSOR_LEB128_MAX;
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
cursor_take_unsigned (struct cursor *c, uint64_t word, unsigned bytes)
{
  c->at += bytes;
  return cursor_leb128_bits (word, bytes);
}

/* The next `bytes` bytes of a cursor's word, a LEB128 number, without its sign. */
CURSOR_INLINE uint64_t
cursor_take_word (struct cursor *c, unsigned bytes)
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
cursor_take_signed_word (struct cursor *c, unsigned bytes)
{
  if (bytes == 1) { /* by shifts alone */
    const uint64_t word = c->word << (64 - 7 - c->shift);
    c->at++;
    c->shift += 8;
    return (int64_t) word >> (64 - 7);
  }
  const uint64_t sign = UINT64_C (1) << (7 * bytes - 1);
  return (int64_t) ((cursor_take_word (c, bytes) ^ sign) - sign);
}

/* The length of a number that is known. */
CURSOR_INLINE unsigned
cursor_take_known (struct cursor *c)
{
  const unsigned bytes = c->known & 0xf;
  c->known >>= 4;
  return bytes;
}

/* Whether the next number, which is in the cursor's word and not shorter, has so many bytes. */
CURSOR_INLINE bool
cursor_word_has (const struct cursor *c, unsigned bytes)
{
  const unsigned bits = c->shift + 8 * bytes;
  return bits <= 64 && (c->word >> (bits - 8) & 0x80) == 0;
}

/* Of numbers of so many LEB128 bytes: the bits of each byte that are the number's, and its sign. In
 * one object, so that both are found from one register. */
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

/* A number of a windowed cursor, without its sign, and how many bytes it has. */
CURSOR_INLINE uint64_t
cursor_take_ended (struct cursor *c, size_t *bytes)
{
  const uint64_t word = cursor_peek_at (c->window + c->begin);
  const size_t behind = (size_t) __builtin_ctzll (c->ends) + 1;
  *bytes = behind - c->begin;
  c->ends &= c->ends - 1;
  c->begin = behind;
  c->at = c->window + behind;
#ifdef __BMI2__
  return _pext_u64 (word, cursor_leb128.mask[*bytes]);
#else
  return cursor_leb128_pack (word & cursor_leb128.mask[*bytes]);
#endif
}

CURSOR_INLINE uint64_t
cursor_uleb_ended (struct cursor *c)
{
  size_t bytes;
  const uint64_t number = cursor_take_ended (c, &bytes);
  if (number >> 56 != 0) /* which the compiler does not know */
    __builtin_unreachable ();
  return number;
}

CURSOR_INLINE int64_t
cursor_sleb_ended (struct cursor *c)
{
  size_t bytes;
  const uint64_t number = cursor_take_ended (c, &bytes);
  return (int64_t) ((number ^ cursor_leb128.sign[bytes]) - cursor_leb128.sign[bytes]);
}

/* Unsigned LEB128 of up to 10 bytes; one that does not fit 64 bits is malformed.  How long numbers
 * are is foreseen well by a processor: a branch for each length is faster than none. */
CURSOR_INLINE uint64_t
cursor_uleb (struct cursor *c)
{
  if (c->windowed)
    return cursor_uleb_ended (c);
  if (c->known != 0)
    return cursor_take_word (c, cursor_take_known (c));
  c->shift = 0;
  if (cursor_is_roomy (c)) {
    const uint64_t word = cursor_peek (c);
    if ((word & 0x80) == 0)
      return cursor_take_unsigned (c, word, 1);
    if ((word & 0x8000) == 0)
      return cursor_take_unsigned (c, word, 2);
    if ((word & 0x800000) == 0)
      return cursor_take_unsigned (c, word, 3);
    const uint64_t ends = ~word & UINT64_C (0x8080808080808080);
    if (ends != 0) {
      const unsigned bits = ((unsigned) __builtin_ctzll (ends) + 1) / 8 * 7;
      c->at += bits / 7;
      return cursor_leb128_pack (word) << (64 - bits) >> (64 - bits);
    }
    if (c->roomy)
      return cursor_too_far (c);
  }
  return cursor_take (c, cursor_leb128_long (c->at, c->end, false));
}

CURSOR_INLINE int64_t
cursor_take_signed (struct cursor *c, uint64_t word, unsigned bytes)
{
  c->at += bytes;
  return (int64_t) (cursor_leb128_bits (word, bytes) << (64 - 7 * bytes)) >> (64 - 7 * bytes);
}

/* Signed LEB128 of up to 10 bytes; one that does not fit 64 bits is malformed. */
CURSOR_INLINE int64_t
cursor_sleb (struct cursor *c)
{
  if (c->windowed)
    return cursor_sleb_ended (c);
  if (c->known != 0)
    return cursor_take_signed_word (c, cursor_take_known (c));
  if (c->shift != 0) {
    if (cursor_word_has (c, 1))
      return cursor_take_signed_word (c, 1);
    if (cursor_word_has (c, 2))
      return cursor_take_signed_word (c, 2);
    if (cursor_word_has (c, 3))
      return cursor_take_signed_word (c, 3);
    c->shift = 0;
  }
  if (cursor_is_roomy (c)) {
    const uint64_t word = cursor_peek (c);
    if ((word & 0x80) == 0)
      return cursor_take_signed (c, word, 1);
    if ((word & 0x8000) == 0)
      return cursor_take_signed (c, word, 2);
    if ((word & 0x800000) == 0)
      return cursor_take_signed (c, word, 3);
    if ((word & 0x80000000) == 0)
      return cursor_take_signed (c, word, 4);
    const uint64_t ends = ~word & UINT64_C (0x8080808080808080);
    if (ends != 0) {
      const unsigned bits = ((unsigned) __builtin_ctzll (ends) + 1) / 8 * 7;
      c->at += bits / 7;
      return (int64_t) (cursor_leb128_pack (word) << (64 - bits)) >> (64 - bits);
    }
    if (c->roomy)
      return cursor_too_far (c);
  }
  return (int64_t) cursor_take (c, cursor_leb128_long (c->at, c->end, true));
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
  if (c->windowed)
    return cursor_sleb_ended (c);
  if (!c->roomy)
    return cursor_sleb (c);
  const uint64_t word = cursor_peek (c);
  const uint64_t ends = ~word & UINT64_C (0x8080808080808080);
  c->shift = 0;
  if (ends == 0)
    return (int64_t) cursor_too_far (c);
  c->at += ((unsigned) __builtin_ctzll (ends) >> 3) + 1;
  return cursor_leb128_signed (word, ends);
}

/* The same for numbers that most often have 3 bytes, such as those of objects in a nursery. */
CURSOR_INLINE int64_t
cursor_sleb_of_three (struct cursor *c)
{
  if (c->windowed)
    return cursor_sleb_ended (c);
  c->shift = 0;
  if (c->roomy) {
    const uint64_t word = cursor_peek (c);
    if ((word & 0x808080) == 0x8080)
      return cursor_take_signed (c, word, 3);
  }
  return cursor_sleb (c);
}

/* Lists of numbers, as far as they lie in whole windows of 64 bytes: where each number ends is
 * found for a window in one go, so that none waits for the one before.  All return how many of
 * `count` numbers they took; the rest is for the functions above. */
#define CURSOR_WINDOW 64

#ifdef __AVX2__
/* A bit for each of 32 bytes: whether a number ends there. */
CURSOR_INLINE uint32_t
cursor_half_window_ends (const uint8_t *at)
{
  const __m256i bytes = _mm256_loadu_si256 ((const __m256i *) (const void *) at);
  return ~(uint32_t) _mm256_movemask_epi8 (bytes);
}

/* The same for 64 bytes. */
CURSOR_INLINE uint64_t
cursor_window_ends (const uint8_t *at)
{
  return (uint64_t) cursor_half_window_ends (at + 32) << 32 | cursor_half_window_ends (at);
}
#elif defined __SSE2__
/* A bit for each of 64 bytes: whether a number ends there. */
CURSOR_INLINE uint64_t
cursor_window_ends (const uint8_t *at)
{
  uint64_t more = 0;
  for (unsigned i = 0; i < CURSOR_WINDOW / 16; i++) {
    const __m128i bytes = _mm_loadu_si128 ((const __m128i *) (const void *) (at + 16 * i));
    more |= (uint64_t) (uint16_t) _mm_movemask_epi8 (bytes) << 16 * i;
  }
  return ~more;
}
#else
/* Without it no number is taken. */
CURSOR_INLINE uint64_t
cursor_window_ends (const uint8_t *at)
{
  (void) at;
  return 0;
}
#endif

/* Signed numbers, to `values`; and, if that is not NULL, their sum to *sum.  Stops before a number
 * of more than 8 bytes. */
CURSOR_INLINE size_t
cursor_take_many (struct cursor *c, size_t count, uint64_t *values, uint64_t *sum)
{
  const uint8_t *at = c->at;
  size_t n = 0;
  uint64_t total = 0;
  while (n < count && c->end - at >= CURSOR_WINDOW + 8) {
    unsigned start = 0;
    for (uint64_t ends = cursor_window_ends (at); ends != 0 && n < count; ends &= ends - 1) {
      const unsigned end = (unsigned) __builtin_ctzll (ends) + 1;
      const unsigned bits = 7 * (end - start);
      uint64_t word;
      if (bits > 7 * sizeof word)
        break;
      memcpy (&word, at + start, sizeof word);
      const int64_t value = (int64_t) (cursor_leb128_pack (word) << (64 - bits)) >> (64 - bits);
      if (values != NULL)
        values[n] = (uint64_t) value;
      total += (uint64_t) value;
      n++;
      start = end;
    }
    at += start;
    if (start == 0)
      break;
  }
  c->at = at;
  if (sum != NULL)
    *sum = total;
  return n;
}

CURSOR_INLINE unsigned
cursor_count_bits (uint64_t bits)
{
#ifdef __POPCNT__
  return (unsigned) __builtin_popcountll (bits);
#else
  bits -= bits >> 1 & UINT64_C (0x5555555555555555);
  bits = (bits & UINT64_C (0x3333333333333333)) + (bits >> 2 & UINT64_C (0x3333333333333333));
  bits = (bits + (bits >> 4)) & UINT64_C (0x0f0f0f0f0f0f0f0f);
  return (unsigned) (bits * UINT64_C (0x0101010101010101) >> 56);
#endif
}

/* Where the nth bit (from 1 on) is. */
CURSOR_INLINE unsigned
cursor_nth_bit (uint64_t bits, unsigned n)
{
#ifdef __BMI2__
  return (unsigned) __builtin_ctzll (_pdep_u64 (UINT64_C (1) << (n - 1), bits));
#else
  while (--n != 0)
    bits &= bits - 1;
  return (unsigned) __builtin_ctzll (bits);
#endif
}

/* Whether there are 8 bytes in a row in which no number ends. */
CURSOR_INLINE bool
cursor_has_long (uint64_t ends)
{
  uint64_t more = ~ends;
  more &= more >> 1;
  more &= more >> 2;
  return (more & more >> 4) != 0;
}

/* Passes over numbers.  Stops before a window with a number of more than 8 bytes. */
CURSOR_INLINE size_t
cursor_skip_many (struct cursor *c, size_t count)
{
  const uint8_t *at = c->at;
  size_t n = 0;
#ifdef __AVX2__
  if (count != 0 && count <= CURSOR_WINDOW / 4 && c->end - at >= CURSOR_WINDOW / 2) {
    const uint64_t ends = cursor_half_window_ends (at) | UINT64_MAX << (CURSOR_WINDOW / 2);
    const unsigned last = cursor_nth_bit (ends, (unsigned) count);
    if (last < CURSOR_WINDOW / 2 && !cursor_has_long (ends)) {
      c->at = at + last + 1;
      return count;
    }
  }
#endif
  while (n < count && c->end - at >= CURSOR_WINDOW) {
    uint64_t ends = cursor_window_ends (at);
    if (ends == 0 || cursor_has_long (ends))
      break;
    const unsigned there = cursor_count_bits (ends);
    if (there <= count - n) {
      at += 64 - __builtin_clzll (ends);
      n += there;
      continue;
    }
    at += cursor_nth_bit (ends, (unsigned) (count - n)) + 1;
    n = count;
  }
  c->at = at;
  return n;
}

/* Text closed by a NUL, which is not counted in *length.  NULL after an error. */
static inline const char *
cursor_strz (struct cursor *c, size_t *length)
{
  const uint8_t *nul = cursor_left (c) != 0 ? memchr (c->at, 0, cursor_left (c)) : NULL;
  *length = 0;
  if (nul == NULL) {
    cursor_fail (c, CURSOR_SHORT);
    return NULL;
  }
  const char *text = (const char *) c->at;
  *length = (size_t) (nul - c->at);
  c->at = nul + 1;
  return text;
}

/* A count of things of at least `bytes` bytes each: more of them than can follow is too short. */
CURSOR_INLINE size_t
cursor_count_of (struct cursor *c, size_t bytes)
{
  const uint64_t count = cursor_uleb (c);
  if (count > cursor_left (c) / bytes) {
    cursor_fail (c, CURSOR_SHORT);
    return 0;
  }
  return (size_t) count;
}

CURSOR_INLINE size_t
cursor_count (struct cursor *c)
{
  return cursor_count_of (c, 1);
}

#endif
