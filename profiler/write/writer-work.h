/* writer-work.h -- the work of the writer's thread. */
#ifndef PROFILER_WRITER_WORK_H
#define PROFILER_WRITER_WORK_H

#include "profiler/record/buffer.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- the writer's side of the queue: buffers and names on their way into the log ---- */

/* On the writer's thread only, unless a comment permits other threads. */

/* Handles work that is in the queue.  False if that is not all: threads may push it faster. */
bool consumer_drain (void);

/* The same for all buffers that are in the queue now, and all names before them, however long that
 * takes. */
void consumer_drain_waiting (void);

/* The same until the queue is empty or the watched buffer was seen, and waits for threads that are
 * about to push, at most *patience_ms, which is reduced: the runtime may have suspended one. */
void consumer_drain_patiently (int *patience_ms);

/* The number of bytes of a buffer that its thread has published. */
size_t consumer_published (const struct buffer *buffer);

/* Writes the events of a buffer up to `length` bytes that are not in the log.  False if the log has
 * failed. */
bool consumer_put_buffer (struct buffer *buffer, size_t length);

/* Notes whether this buffer arrives in the queue from now on; NULL: none. */
void consumer_watch (struct buffer *buffer);
bool consumer_has_seen_watched (void);

/* Another output was selected: writes the work that the failed log could not accept. */
void consumer_write_requeued (void);

/* The process ends, and no other output will be selected: the same work stays in the spool, or is
 * lost. */
void consumer_abandon_requeued (void);

/* ---- from any thread ---- */

/* Buffers written, which shows progress; events, but for names; whether that is an estimate. */
uint64_t consumer_buffers (void);
uint64_t consumer_events (void);
bool consumer_events_are_estimated (void);

/* For how many ms the output has not accepted the buffer that is being written; 0: none is. */
unsigned consumer_stalled_ms (void);

/* In the child of a fork. */
void consumer_start_over (void);

/* ---- flushes: events whose buffers are not full ---- */

/* On request, by time, and for sync points. */

/* Writes all events that were recorded up to now, also those in buffers that are not full, and
 * waits for that.  No other thread waits.  Returns 0, or an errno number: EAGAIN if some have no
 * names yet, ETIMEDOUT if the output accepts nothing for `limit_ms`, EBUSY if it does, and after
 * `busy_ms` that was not all, EIO if nothing more is written.  A reader of the log that accepts
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

/* Runs due and requested jobs. */
void writer_flush_if_due (void);

/* The system's time at which something is due. */
uint64_t writer_flush_next_deadline (void);

/* Writes the sync points that are left: the log has all events. */
void writer_flush_last_points (void);

/* From any thread: the log ends, so that no thread waits for a flush. */
void writer_flush_finish (void);
bool writer_flush_is_finishing (void);

/* In the child of a fork. */
void writer_flush_start_over (void);

#endif
