/* buffer-queue.h -- full buffers and announcements of names on their way to the writer.
 *
 * Many threads push, one consumer (the writer) pops, in the order of the pushes.  Buffers that
 * wait have a limit of memory: a thread admits a buffer before it pushes it, and waits a bounded
 * time for room, or drops the buffer.  No lock and no allocation: pushing works while the world is
 * stopped.
 */
#ifndef PROFILER_BUFFER_QUEUE_H
#define PROFILER_BUFFER_QUEUE_H

#include "profiler/record/buffer.h"

/* Empties the queue and opens it.  `memory`: bytes of buffers that may wait; `block_ms`: the
 * longest time that a thread waits for room, 0: it drops its buffer at once.  Before there are
 * producers.
 */
void buffer_queue_start (uint64_t memory, unsigned block_ms);

/* The limits change; from any thread. */
void buffer_queue_set_memory (uint64_t bytes);
void buffer_queue_set_block_ms (unsigned ms);

/* The limits, and the bytes of buffers that were admitted and not written yet; from any thread. */
uint64_t buffer_queue_memory (void);
unsigned buffer_queue_block_ms (void);
uint64_t buffer_queue_waiting (void);

/* Recording has ended: no thread waits for room from now on. */
void buffer_queue_close (void);

/* The id of the consumer's thread, which names belong to in the log; 0 before it was set. */
void buffer_queue_set_consumer (uint64_t thread);
uint64_t buffer_queue_consumer (void);

/* ---- producers ---- */

/* Whether a buffer of this many bytes may wait; its bytes count from then on.  Waits for room if
 * there is none, unless this thread has stopped the world. */
bool buffer_queue_admit (size_t bytes);

/* Passes on a buffer that was admitted. */
void buffer_queue_push (struct buffer *buffer);

/* Passes on an announcement (allocated with malloc) or a full slot of names. */
void buffer_queue_push_name (struct work *work);

/* While set, this thread does not wait for room, as all others wait for it. */
void buffer_queue_set_world_stopped (bool stopped);
bool buffer_queue_is_world_stopped (void);

/* Wakes the consumer; from any thread, also from a handler of a signal. */
void buffer_queue_wake (void);

/* ---- the consumer ---- */

/* The oldest work; NULL: there is none, or its producer is not finished. */
struct work *buffer_queue_pop (void);

/* After buffer_queue_pop returned NULL: whether a producer is not finished. */
bool buffer_queue_has_more (void);

/* A buffer of this many bytes was written, or lost. */
void buffer_queue_release (size_t bytes);

/* The output accepts nothing: no thread waits for room until it is cleared. */
void buffer_queue_set_stalled (bool is_stalled);

/* Waits for a wake-up, at most until `ns` of the system's clock.  `is_polling`: producers need not
 * wake the consumer while there is room, as it inspects the queue again that soon. */
void buffer_queue_wait (uint64_t ns, bool is_polling);

#endif
