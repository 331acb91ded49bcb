/* big-endian.h -- reads big-endian numbers at any address.  They are written by ghc_put_number of
 * ghc-encode.h.
 */
#ifndef PROFLOG_BIG_ENDIAN_H
#define PROFLOG_BIG_ENDIAN_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define PROFLOG_BE_UNUSED __attribute__ ((unused))
#else
#define PROFLOG_BE_UNUSED
#endif

/* Of 1 to 8 bytes. */
static inline PROFLOG_BE_UNUSED uint64_t
proflog_be (const uint8_t *at, unsigned bytes)
{
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++)
    v = v << 8 | at[i];
  return v;
}

static inline PROFLOG_BE_UNUSED uint16_t
proflog_be16 (const uint8_t *at)
{
  return (uint16_t) (at[0] << 8 | at[1]);
}

/* One load and one swap where the compiler has them: it does not always see that in proflog_be. */
static inline PROFLOG_BE_UNUSED uint32_t
proflog_be32 (const uint8_t *at)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint32_t v;
  memcpy (&v, at, sizeof v);
  return __builtin_bswap32 (v);
#else
  return (uint32_t) proflog_be (at, 4);
#endif
}

static inline PROFLOG_BE_UNUSED uint64_t
proflog_be64 (const uint8_t *at)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t v;
  memcpy (&v, at, sizeof v);
  return __builtin_bswap64 (v);
#else
  return proflog_be (at, 8);
#endif
}

#endif
