/* scan-block.h -- the fast loops: all events of a whole buffer in one go. */
#ifndef PROFLOG_SCAN_BLOCK_H
#define PROFLOG_SCAN_BLOCK_H

#include "decoder/mlpd/scan/scan-state.h"

/* The data versions that the fast loops for allocations and heap objects are compiled for: 1, which
 * the module writes, and the last, which serves all from MLPD_VERSION_BULK on.  Returns the one
 * that serves a log of this version; 0: none does, and its events are added up one by one. */
static inline unsigned
scan_block_loop_version (unsigned version)
{
  if (version >= MLPD_VERSION_BULK && version <= MLPD_VERSION_LAST)
    return MLPD_VERSION_LAST;
  return version == 1 ? 1 : 0;
}

/* The events of a whole buffer, after scan_buffer; see scan_block. */
bool scan_block_plain (struct scan *scan, const uint8_t *bytes, size_t length, uint64_t offset);

#endif
