/* whole-number.h -- rates, shares and sums as whole numbers. */
#ifndef PROFLOG_WHOLE_NUMBER_H
#define PROFLOG_WHOLE_NUMBER_H

#include <stdint.h>

/* The number without its fraction.  Figures of a damaged log may be too large for 64 bits: then it
 * is UINT64_MAX, and 0 for negative numbers and NaN.  A cast is undefined there. */
static inline uint64_t
whole_number (double number)
{
  return number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t) number : 0;
}

/* The sum; UINT64_MAX if it is too large for 64 bits. */
static inline uint64_t
saturated_sum (uint64_t a, uint64_t b)
{
  uint64_t sum;
  return __builtin_add_overflow (a, b, &sum) ? UINT64_MAX : sum;
}

/* The same of the product. */
static inline uint64_t
saturated_product (uint64_t a, uint64_t b)
{
  uint64_t product;
  return __builtin_mul_overflow (a, b, &product) ? UINT64_MAX : product;
}

#endif
