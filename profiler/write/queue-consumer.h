/* queue-consumer.h -- the writer's side of the queue: writes buffers and names into the log.
 *
 * On the writer's thread only, unless a comment permits other threads.
 */
#ifndef PROFILER_QUEUE_CONSUMER_H
#define PROFILER_QUEUE_CONSUMER_H

#include "profiler/record/buffer.h"

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

#endif
