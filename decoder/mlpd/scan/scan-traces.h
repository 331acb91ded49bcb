/* scan-traces.h -- backtraces of allocations, most of which were seen before: those are known by
 * their bytes, and are not decoded again.
 */
#ifndef PROFLOG_SCAN_TRACES_H
#define PROFLOG_SCAN_TRACES_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/scan/recent-traces.h"
#include "decoder/mlpd/scan/scan-state.h"

#include <string.h>

/* Adds up an allocation at the addresses of its frames, if there are any.  Allocations without a
 * backtrace are the rest of their type. */
void scan_add_trace (struct scan *scan, guint type, struct mlpd_list frames,
                     struct type_sum weight);

/* The slow part of scan_add_skipped_trace: it is not in the slot. */
uint64_t scan_add_new_trace (struct scan *scan, struct recent_trace *slot, guint type,
                             const struct skipped_trace *trace, struct type_sum weight);

/* At the place of a sum. */
static inline __attribute__ ((always_inline)) void
scan_add_at_trace (struct scan *s, guint place, const struct type_sum *weight)
{
  trace_sums_add_at (&s->trace_sums, place, weight->objects, weight->bytes);
  if (G_UNLIKELY (s->alloc_sampling != 0)) {
    const struct allocation_error error = allocations_error_of (weight);
    allocation_error_add (&g_array_index (s->trace_sums.all, struct trace_sum, place).error,
                          &error);
  }
}

/* The same for a backtrace that was skipped; returns the address of its last frame.  Its numbers
 * are known to end where it ends.
 */
static inline __attribute__ ((always_inline)) uint64_t
scan_add_skipped_trace (struct scan *s, guint type, const struct skipped_trace *t,
                        struct type_sum weight)
{
  const struct recent_traces *r = &s->recent_traces;
  struct recent_trace *slot = &r->slots[recent_trace_hash (t, type)];
  if (G_UNLIKELY (slot->type != type || slot->base != t->base || slot->size != t->length + 1
                  || memcmp (r->bytes->data + slot->at, t->bytes, t->length) != 0))
    return scan_add_new_trace (s, slot, type, t, weight);
  scan_add_at_trace (s, slot->sum, &weight);
  return slot->last;
}

#endif
