/* eventlog-test.c -- the eventlog of a test. */
#include "config.h"

#include "tests/unit/eventlog-test.h"

GByteArray *log_bytes, *block;

void
eventlog_test_begin (void)
{
  log_bytes = g_byte_array_new ();
  block = g_byte_array_new ();
  ghc_put_header_begin (log_bytes);
  ghc_put_all_types (log_bytes);
  ghc_put_header_end (log_bytes);
}

void
eventlog_test_end (void)
{
  g_byte_array_unref (log_bytes);
  g_byte_array_unref (block);
}

void
put_block (guint cap, guint64 time, guint64 end_time)
{
  ghc_put_block (log_bytes, 24 + block->len, time, end_time, cap);
  g_byte_array_append (log_bytes, block->data, block->len);
  g_byte_array_set_size (block, 0);
}
