/* late-calls.h -- records the enters of pending calls (pending-calls.h), and the number of calls
 * that are not recorded. */
#ifndef PROFILER_LATE_CALLS_H
#define PROFILER_LATE_CALLS_H

#include "profiler/record/recorder.h"

/* Enters may be pending from now on.  Before anything is recorded. */
void late_calls_start (uint64_t threshold_ns);

/* Writes events that state this number of skipped calls; their bytes are at most late_calls_bound.
 */
size_t late_calls_bound (void);
uint8_t *late_calls_put (struct mlpd_encoder *encoder, uint8_t *to, uint64_t skipped,
                         uint64_t time);

#endif
