/* scan-defer.h -- events that a scan does not add up: they are retained for the merge. */
#ifndef PROFLOG_SCAN_DEFER_H
#define PROFLOG_SCAN_DEFER_H

#include "decoder/mlpd/scan/scan-state.h"

/* Appends the event to the scan's, with copies of its strings and lists.  `offset`: in the log.
 * Returns it, until the next is appended. */
struct scan_event *scan_defer_event (struct scan *scan, enum mlpd_kind kind,
                                     const union mlpd_payload *payload, uint64_t offset);

/* A call of the present thread; from then on all of its calls are retained. */
void scan_defer_call (struct scan *scan, guint method, bool enter, uint64_t time);

/* The same for the end of a bin: the thread's latest event had this time. */
void scan_defer_pass (struct scan *scan, struct scan_thread *thread, uint64_t time);

/* The text becomes the scan's. */
void scan_defer_string (struct scan *scan, struct mlpd_string *string);

#endif
