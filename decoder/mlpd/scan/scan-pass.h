/* scan-pass.h -- time passes in a scan: sums become those of a bin (scan-bins.h) when an event of
 * another bin comes.
 *
 * Calls, allocations and events are added up by their stacks, types and threads, as without bins;
 * their growth since the bin began is then the bin's.  Open frames get their time so far.
 */
#ifndef PROFLOG_SCAN_PASS_H
#define PROFLOG_SCAN_PASS_H

#include "decoder/mlpd/scan/scan-state.h"

/* A buffer begins at this offset of the log. */
void scan_pass_buffer (struct scan_bins *bins, const struct mlpd_buffer_header *header,
                       uint64_t offset, bool is_wanted);

/* Before an event of the present thread, which is added by itself: the time of the one before, and
 * how many there were, but for samples. */
static inline void
scan_pass_prepare (struct scan *s, uint64_t latest, uint64_t events)
{
  s->bins.latest = latest;
  s->bins.events = events - scan_current_thread (s)->hits;
}

/* The slow part of scan_pass_time. */
void scan_pass_bin (struct scan *scan, uint64_t time);

/* The event has this time. */
static inline __attribute__ ((always_inline)) void
scan_pass_time (struct scan *s, uint64_t time)
{
  if (G_UNLIKELY (s->options.bins != NULL && time - s->bins.begin >= s->bins.span))
    scan_pass_bin (s, time);
}

/* The present buffer ends: the time of its first event, and of the thread's latest that is no
 * sample.
 */
static inline void
scan_pass_end (struct scan *s, uint64_t first, uint64_t latest)
{
  scan_current_thread (s)->latest = latest;
  s->bins.buffer.begin = MIN (s->bins.buffer.begin, first);
}

/* The frame at the top of the present thread's is left, with this self time. */
void scan_pass_leave (struct scan *scan, const struct scan_frame *frame, uint64_t self_ns);

/* After the last event. */
void scan_pass_finish (struct scan *scan);

#endif
