/* scan-block-bmi2.c -- scan-block.c with instructions that pick bits out of a word: numbers of
 * LEB128 and their ends need one each. */
#include "config.h"

#include "decoder/mlpd/scan/scan-block-bmi2.h"
#ifdef SCAN_BMI2
/* Before all headers, whose inline functions are to use them.  GCC's code for any processor of
 * x86-64 is slower by 5 % on those that have these, of whichever make. */
#pragma GCC target("bmi,bmi2,popcnt,avx2,tune=skylake")
#define scan_block_plain scan_block_bmi2
#include "decoder/mlpd/scan/scan-block.c"
#else
#include "decoder/mlpd/scan/scan-block.h"

bool
scan_block_bmi2 (struct scan *s, const uint8_t *bytes, size_t length, uint64_t offset)
{
  return scan_block_plain (s, bytes, length, offset);
}
#endif
