/* parquet-numbers.c -- runs of one number, and groups of eight packed ones. */
#include "config.h"

#include "decoder/query/parquet-numbers.h"
#include "decoder/query/thrift.h"

void
parquet_append_number (GString *out, uint64_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    g_string_append_c (out, (char) (value >> 8 * i));
}

/* One number again and again, or eight at a time packed. */
static void
append_run (GString *out, uint64_t count, uint32_t value, unsigned bits)
{
  thrift_put_varint (out, count << 1);
  parquet_append_number (out, value, (bits + 7) / 8);
}

void
parquet_append_hybrid (GString *out, const guint32 *numbers, guint n, unsigned bits)
{
  guint i = 0;
  while (i < n) {
    guint run = 1;
    while (i + run < n && numbers[i + run] == numbers[i])
      run++;
    if (run >= 8 || i + run == n) {
      append_run (out, run, numbers[i], bits);
      i += run;
      continue;
    }
    /* Groups of eight up to where a run begins. */
    guint end = i;
    while (end + 8 <= n) {
      guint same = 1;
      while (same < 8 && numbers[end + same] == numbers[end])
        same++;
      if (same == 8)
        break;
      end += 8;
    }
    if (end == i) { /* fewer than eight are left */
      append_run (out, run, numbers[i], bits);
      i += run;
      continue;
    }
    thrift_put_varint (out, (uint64_t) ((end - i) / 8) << 1 | 1);
    uint64_t word = 0;
    unsigned filled = 0;
    for (; i < end; i++) {
      word |= (uint64_t) numbers[i] << filled;
      for (filled += bits; filled >= 8; filled -= 8, word >>= 8)
        g_string_append_c (out, (char) word);
    }
  }
}
