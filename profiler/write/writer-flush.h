/* writer-flush.h -- writes events before their buffers are full: on request, by time, and for sync
 * points.
 */
#ifndef PROFILER_WRITER_FLUSH_H
#define PROFILER_WRITER_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

/* Writes all events that were recorded up to now, also those in buffers that are not full, and
 * waits for that.  No other thread waits.  Returns 0, or an errno number: EAGAIN if some have no
 * names yet, ETIMEDOUT if the output accepts nothing for `limit_ms`, EBUSY if it does, and after
 * `busy_ms` that was not all, EIO if nothing is written any more.  A reader of the log that accepts
 * nothing is waited for `reader_ms` at most.  From one thread at a time. */
int writer_flush (unsigned limit_ms, unsigned reader_ms, unsigned busy_ms);

/* Flushes, or re-announces all names, at this interval from now on; 0: never.  From any thread. */
void writer_set_flush_interval (unsigned ms);
void writer_set_reannounce_interval (unsigned ms);

/* From any thread, once the writer was started: all names that live are announced again in the log,
 * in front of the next events, and marked as such (MLPD_REANNOUNCE_BASE). */
void writer_reannounce (void);

/* From the thread that has stopped the world: a sync point (MLPD_SYNC_TYPE_...) of this moment.  It
 * is written a little later, after all that happened before.  If more than some hundred wait, there
 * is none. */
void writer_sync_point (unsigned type);

/* ---- on the writer's thread ---- */

/* Writes all that was recorded up to now.  Answers all requests of writer_flush until now. */
void writer_flush_now (void);

/* The same; then whether threads have recorded more meanwhile, or some run. */
bool writer_flush_sees_threads (void);

/* Does what is due or requested. */
void writer_flush_if_due (void);

/* The system's time at which something is due. */
uint64_t writer_flush_next_deadline (void);

/* Writes the sync points that are left: the log has all events. */
void writer_flush_last_points (void);

/* From any thread: the log ends, so that no thread waits for a flush any more. */
void writer_flush_finish (void);
bool writer_flush_is_finishing (void);

/* In the child of a fork. */
void writer_flush_start_over (void);

#endif
