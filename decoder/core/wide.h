/* wide.h -- products that may have more than 64 bits, also where the compiler has no type for them,
 * as on machines of 32 bits. */
#ifndef PROFLOG_WIDE_H
#define PROFLOG_WIDE_H

#include <stdint.h>

#if defined(__SIZEOF_INT128__) && !defined(WIDE_BY_HALVES)

/* The lower 64 bits of (a * b + more) / divisor, which is not 0. */
static inline uint64_t
wide_scale (uint64_t a, uint64_t b, uint64_t more, uint64_t divisor)
{
  return (uint64_t) (((unsigned __int128) a * b + more) / divisor);
}

/* The upper 64 bits of a * b. */
static inline uint64_t
wide_upper (uint64_t a, uint64_t b)
{
  return (uint64_t) (((unsigned __int128) a * b) >> 64);
}

#else

static inline uint64_t
wide_upper (uint64_t a, uint64_t b)
{
  const uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
  const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  const uint64_t other = a_low * b_high + (middle & UINT32_MAX);
  return a_high * b_high + (middle >> 32) + (other >> 32);
}

/* By hand, a bit at a time. */
static inline uint64_t
wide_scale (uint64_t a, uint64_t b, uint64_t more, uint64_t divisor)
{
  uint64_t upper = wide_upper (a, b), lower = a * b + more, quotient = 0;
  upper += lower < more;
  upper %= divisor;
  if (upper == 0)
    return lower / divisor;
  for (int bit = 0; bit < 64; bit++) {
    const uint64_t carry = upper >> 63;
    upper = upper << 1 | lower >> 63;
    lower <<= 1;
    quotient <<= 1;
    if (carry != 0 || upper >= divisor) {
      upper -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

#endif

#endif
