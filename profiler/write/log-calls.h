/* log-calls.h -- the calls that are not recorded: what is known at the end only.
 *
 * On the writer's thread.
 */
#ifndef PROFILER_LOG_CALLS_H
#define PROFILER_LOG_CALLS_H

#include "profiler/record/recorder.h"

/* After the thread's last buffer was written, up to `length`: writes the number of its skipped
 * calls that the log does not have, as an event of the thread. */
void log_put_skipped_calls (const struct recorder *recorder, const struct buffer *buffer,
                            size_t length);

/* At the end of the log: writes the calls that are left out by method, as counters. */
void log_put_left_out_calls (void);

#endif
