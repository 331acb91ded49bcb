/* scan-traces.h -- backtraces of allocations, most of which were met before: those are known by
 * their bytes, and are not decoded again.
 */
#ifndef PROFLOG_SCAN_TRACES_H
#define PROFLOG_SCAN_TRACES_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/scan.h"

/* A backtrace in the bytes of a buffer: equal ones have equal bytes and the same base. */
struct passed_trace {
  bool is_chained; /* each frame counts from the one before; else all from the base */
  uint64_t base;   /* chained: the address of the first frame, and the bytes are of the others */
  const uint8_t *bytes;
  size_t length;
  size_t count; /* frames, not 0 */
};

/* Adds it up; returns the address of its last frame.  Its numbers are known to end where it ends.
 */
uint64_t scan_keep_passed_trace (struct scan *scan, guint type, const struct passed_trace *trace,
                                 struct type_sum weight);

/* The same for addresses of frames, if any. */
void scan_keep_trace (struct scan *scan, guint type, struct mlpd_list frames,
                      struct type_sum weight);

void recent_traces_clear (struct recent_traces *recent);

/* Addresses of methods mean something else from now on, or traces have other numbers. */
void recent_traces_forget (struct recent_traces *recent);

#endif
