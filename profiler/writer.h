/* writer.h -- the thread that writes the log.
 *
 * A plain thread that the runtime does not know and never suspends.  It takes full buffers and
 * announcements of names from a queue, in order.
 */
#ifndef PROFLOG_WRITER_H
#define PROFLOG_WRITER_H

#include "profiler/recorder.h"
#include "profiler/sink.h"

/* Writes the file header and starts the thread.  The sink is the writer's from now on, also when
 * this fails.  Returns 0 or an errno number. */
int writer_start (struct sink *sink);

/* From any thread: takes a buffer over.  If the writer is far behind and the world is not stopped,
 * waits a bounded time, and then drops and counts the buffer. */
void writer_push_buffer (struct buffer *buffer);

/* From any thread: takes an announcement over (allocated with malloc). */
void writer_push_name (struct work *work);

/* Writes all that every thread has recorded up to now, ends the log and the thread.  Recording
 * stops.  Only the first call does something. */
void writer_finish (void);

/* The id of the writer's thread, which names belong to in the log. */
uint64_t writer_thread (void);

/* While set, threads that hand buffers over do not wait. */
void writer_set_world_stopped (bool stopped);

/* In the child of a fork. */
void writer_after_fork (void);

#endif
