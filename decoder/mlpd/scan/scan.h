/* scan.h -- scans whole buffers of a log: the entry above scan-block.h (fast loops), scan-event.h
 * (single events) and scan-state.h (the contents of a scan).
 */
#ifndef PROFLOG_SCAN_H
#define PROFLOG_SCAN_H

#include "decoder/mlpd/scan/scan-event.h"
#include "decoder/mlpd/scan/scan-state.h"

/* A whole buffer: its header and the bytes after it, which begin at `offset` of the log.  False if
 * they are damaged, or leave too many calls open: then the scan holds wrong events and is of no
 * use. */
bool scan_block (struct scan *scan, const struct mlpd_buffer_header *header, const uint8_t *bytes,
                 size_t length, uint64_t offset);

/* Ends the scan: after it, it can be merged. */
void scan_finish (struct scan *scan);

/* Whether this processor has the instructions that scan_block_bmi2 needs, and they are worth it.
 * Safe in any thread. */
bool scan_has_bmi2 (void);

#endif
