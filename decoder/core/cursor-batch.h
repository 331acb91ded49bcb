/* cursor-batch.h -- lists of LEB128 numbers, 64 bytes at a time.
 *
 * To be included by way of cursor.h.
 */
#ifndef PROFLOG_CURSOR_BATCH_H
#define PROFLOG_CURSOR_BATCH_H

#include "decoder/core/cursor-leb128.h"
/* No more of them than are used: all take longer to compile than most files that include this. */
#ifdef __AVX2__
#include <immintrin.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

/* Lists of numbers, as far as they lie in whole windows of 64 bytes: where each number ends is
 * found for a window in one go, so that none waits for the one before.  All return how many of
 * `count` numbers they read; the rest is for the functions above. */
#define CURSOR_BATCH 64

#ifdef __AVX2__
/* A bit for each of 32 bytes: whether a number ends there. */
CURSOR_INLINE uint32_t
cursor_half_batch_ends (const uint8_t *at)
{
  const __m256i bytes = _mm256_loadu_si256 ((const __m256i *) (const void *) at);
  return ~(uint32_t) _mm256_movemask_epi8 (bytes);
}

/* The same for 64 bytes. */
CURSOR_INLINE uint64_t
cursor_batch_ends (const uint8_t *at)
{
  return (uint64_t) cursor_half_batch_ends (at + 32) << 32 | cursor_half_batch_ends (at);
}
#elif defined __SSE2__
/* A bit for each of 64 bytes: whether a number ends there. */
CURSOR_INLINE uint64_t
cursor_batch_ends (const uint8_t *at)
{
  uint64_t more = 0;
  for (unsigned i = 0; i < CURSOR_BATCH / 16; i++) {
    const __m128i bytes = _mm_loadu_si128 ((const __m128i *) (const void *) (at + 16 * i));
    more |= (uint64_t) (uint16_t) _mm_movemask_epi8 (bytes) << 16 * i;
  }
  return ~more;
}
#else
/* Without it no number is read. */
CURSOR_INLINE uint64_t
cursor_batch_ends (const uint8_t *at)
{
  (void) at;
  return 0;
}
#endif

/* Signed numbers, to `values`; and, if that is not NULL, their sum to *sum.  Stops before a number
 * of more than 8 bytes. */
CURSOR_INLINE size_t
cursor_read_many (struct cursor *c, size_t count, uint64_t *values, uint64_t *sum)
{
  const uint8_t *at = c->at;
  size_t n = 0;
  uint64_t total = 0;
  while (n < count && c->end - at >= CURSOR_BATCH + 8) {
    unsigned start = 0;
    for (uint64_t ends = cursor_batch_ends (at); ends != 0 && n < count; ends &= ends - 1) {
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

/* Whether there is a number of more than `bytes` bytes, 4 to 8: as many in a row in which no number
 * ends. */
CURSOR_INLINE bool
cursor_has_longer (uint64_t ends, unsigned bytes)
{
  uint64_t more = ~ends;
  more &= more >> 1;
  more &= more >> 2;
  return (more & more >> (bytes - 4)) != 0;
}

/* Skips numbers.  Stops before a window with a number of more than 8 bytes. */
CURSOR_INLINE size_t
cursor_skip_many (struct cursor *c, size_t count)
{
  const uint8_t *at = c->at;
  size_t n = 0;
#ifdef __AVX2__
  if (count != 0 && count <= CURSOR_BATCH / 4 && c->end - at >= CURSOR_BATCH / 2) {
    const uint64_t ends = cursor_half_batch_ends (at) | UINT64_MAX << (CURSOR_BATCH / 2);
    const unsigned last = cursor_nth_bit (ends, (unsigned) count);
    if (last < CURSOR_BATCH / 2 && !cursor_has_longer (ends, 8)) {
      c->at = at + last + 1;
      return count;
    }
  }
#endif
  while (n < count && c->end - at >= CURSOR_BATCH) {
    uint64_t ends = cursor_batch_ends (at);
    if (ends == 0 || cursor_has_longer (ends, 8))
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

#endif
