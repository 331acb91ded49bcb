/* scan-event.h -- scans a buffer event by event, as a reader has them. */
#ifndef PROFLOG_SCAN_EVENT_H
#define PROFLOG_SCAN_EVENT_H

#include "decoder/mlpd/scan/scan-state.h"

/* The buffer of this header, which is at `offset` of the log, begins; its events follow. */
void scan_buffer (struct scan *scan, const struct mlpd_buffer_header *header, uint64_t offset);

/* The use of a buffer. */
enum buffer_use scan_buffer_use (const struct scan_options *options,
                                 const struct mlpd_buffer_header *header, uint64_t offset);

/* A buffer that is passed. */
void scan_skip (struct scan *scan, const struct mlpd_buffer_header *header);

/* An event of that buffer: `size` bytes at `offset` of the log. */
void scan_event (struct scan *scan, enum mlpd_kind kind, const union mlpd_payload *payload,
                 uint64_t offset, uint64_t size);

/* An event that counts, whose time and thread the caller accounts for: adds it up, or retains it.
 * Returns whether it is of a thread that was sampled, which only the merge knows. */
bool scan_add_event (struct scan *scan, enum mlpd_kind kind, const union mlpd_payload *payload,
                     uint64_t offset, uint64_t size);

/* The next event does not follow the one that was added last. */
void scan_forget_before (struct scan *scan);

#endif
