/* whole-number.h -- rates and shares as whole numbers. */
#ifndef PROFLOG_WHOLE_NUMBER_H
#define PROFLOG_WHOLE_NUMBER_H

#include <stdint.h>

/* The number without its fraction.  Figures of a damaged log may be too large for 64 bits: then it
 * is UINT64_MAX, and 0 below 0 and of what is no number.  A cast is undefined there. */
static inline uint64_t
whole_number (double number)
{
  return number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t) number : 0;
}

#endif
