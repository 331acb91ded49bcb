/* scan-block-bmi2.h -- scan-block.h for processors with more instructions.
 *
 * This includes no header with inline functions: scan-block-bmi2.c includes it before it turns the
 * instructions on.
 */
#ifndef PROFLOG_SCAN_BLOCK_BMI2_H
#define PROFLOG_SCAN_BLOCK_BMI2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instructions can be turned on for a part of the program. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SCAN_BMI2
#endif

struct scan;

/* The same as scan_block_plain; only where scan_has_bmi2. */
bool scan_block_bmi2 (struct scan *scan, const uint8_t *bytes, size_t length, uint64_t offset);

#endif
