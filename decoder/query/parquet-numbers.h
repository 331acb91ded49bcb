/* parquet-numbers.h -- numbers in pages of Parquet. */
#ifndef PROFLOG_PARQUET_NUMBERS_H
#define PROFLOG_PARQUET_NUMBERS_H

#include <glib.h>
#include <stdint.h>

/* Appends a number of this many bytes, the lowest first. */
void parquet_append_number (GString *out, uint64_t value, unsigned bytes);

/* Appends numbers of this many bits (1 to 32) in the hybrid of runs and packed groups: runs of at
 * least eight, and all else packed. */
void parquet_append_hybrid (GString *out, const guint32 *numbers, guint n, unsigned bits);

#endif
