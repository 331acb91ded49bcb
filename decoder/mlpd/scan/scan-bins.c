/* scan-bins.c -- makes, empties and frees the sums of a scan by bins. */
#include "config.h"

#include "decoder/mlpd/scan/scan-bins.h"

void
scan_bins_init (struct scan_bins *b)
{
  b->self_ns = g_array_new (FALSE, TRUE, sizeof (uint64_t));
  b->calls_before = g_array_new (FALSE, TRUE, sizeof (guint));
  b->types_before = g_array_new (FALSE, TRUE, sizeof (struct type_sum));
  b->calls = g_array_new (FALSE, FALSE, sizeof (struct scan_binned_calls));
  b->enters = g_array_new (FALSE, FALSE, sizeof (struct scan_binned_enters));
  b->types = g_array_new (FALSE, FALSE, sizeof (struct scan_binned_type));
  b->threads = g_array_new (FALSE, FALSE, sizeof (struct scan_binned_thread));
  b->buffers = g_array_new (FALSE, FALSE, sizeof (struct scan_binned_buffer));
  scan_bins_start (b);
}

void
scan_bins_clear (struct scan_bins *b)
{
  GArray *const all[] = { b->self_ns, b->calls_before, b->types_before, b->calls,
                          b->types,   b->threads,      b->buffers,      b->enters };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_array_unref (all[i]);
}

void
scan_bins_start (struct scan_bins *b)
{
  GArray *const all[] = { b->self_ns, b->calls_before, b->types_before, b->calls,
                          b->types,   b->threads,      b->buffers,      b->enters };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_array_set_size (all[i], 0);
  b->bin = SCAN_BIN_NONE;
  b->enters_before = 0;
  b->begin = b->span = 0;
  b->buffer.has_rest = b->is_wanted = false;
  b->first_offset = UINT64_MAX;
}
