/* scan-block-bmi2.c -- scan-block.c with instructions that pick bits out of a word: numbers of
 * LEB128 and their ends take one each. */
#include "config.h"
#include "decoder/analyses/scan-bmi2.h"
#ifdef SCAN_BMI2
/* Before all headers, whose inline functions are to use them.  What GCC arranges for any processor
 * of x86-64 is slower by 5 % on those that have these, of whichever make. */
#pragma GCC target("bmi,bmi2,popcnt,avx2,tune=skylake")
#define scan_block_plain scan_block_bmi2
#include "decoder/analyses/scan-block.c"
#endif
