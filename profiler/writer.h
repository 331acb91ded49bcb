/* writer.h -- the thread that writes the log.
 *
 * A plain thread that the runtime does not know and never suspends.  It takes full buffers and
 * announcements of names from a queue, in order.
 */
#ifndef PROFLOG_WRITER_H
#define PROFLOG_WRITER_H

#include "profiler/recorder.h"
#include "profiler/sink.h"
#include <limits.h>

/* What bounds the memory of buffers that wait, and files. */
struct writer_limits {
  uint64_t memory;      /* bytes */
  unsigned patience_ms; /* the longest that a thread waits for room; 0: it drops events at once */
  uint64_t rotate_bytes, rotate_ns; /* when the log goes on in another file; 0: never */
  bool may_go_on; /* if it cannot be written any more, another output may be asked for */
};

/* Starts the thread, which writes the file header.  The sink is the writer's from now on, also when
 * this fails.  Returns 0 or an errno number. */
int writer_start (struct sink *sink, const struct writer_limits *limits);

/* What the log has come to. */
struct writer_figures {
  char log[PATH_MAX]; /* its name */
  uint64_t bytes;     /* before compression */
  uint64_t buffers;   /* of events */
  uint64_t events;    /* but for names */
  bool estimated;     /* that is an estimate */
  uint64_t waiting;   /* bytes of full buffers that wait to be written */
};
void writer_get_figures (struct writer_figures *figures);

/* Has all events that were recorded up to now written, also those in buffers that are not full, and
 * waits for that.  No thread waits for it.  0, or an errno number: EAGAIN if some have no names
 * yet, ETIMEDOUT, EIO if nothing is written any more.  Who reads the log, and takes nothing, is
 * waited for `reader_ms` at most.  From one thread at a time. */
int writer_flush (unsigned limit_ms, unsigned reader_ms);

/* Has that done, or all names that live said again, every so often; 0: no more. */
void writer_flush_every (unsigned ms);
void writer_sync_every (unsigned ms);

/* Has all events that were recorded up to now written, and the log go on in another file
 * (log_change). 0, or an errno number with a message in `why`.  From one thread at a time. */
int writer_change_output (const char *output, unsigned limit_ms, char *why, size_t size);

/* The limits change. */
void writer_set_memory (uint64_t bytes);
void writer_set_patience (unsigned ms);

/* The limit of buffers that wait. */
uint64_t writer_memory (void);

/* From any thread: whether a buffer of so many bytes may wait; it counts from then on.  If the
 * writer is far behind and the world is not stopped, waits a bounded time for that. */
bool writer_admit (size_t bytes);

/* From any thread: takes a buffer over that was admitted. */
void writer_push_buffer (struct buffer *buffer);

/* From any thread: takes an announcement over (allocated with malloc). */
void writer_push_name (struct work *work);

/* From any thread, once the writer was started: all names that live are said again in the log, in
 * front of what is written next, and marked as such (MLPD_AGAIN_BASE). */
void writer_announce_again (void);

/* From the thread that has stopped the world: a sync point (MLPD_SYNC_TYPE_...) of this moment.  It
 * is written a little later, behind all that happened before.  If more than some hundred wait,
 * there is none. */
void writer_sync_point (unsigned type);

/* Writes all that every thread has recorded up to now, ends the log and the thread.  Recording
 * stops.  Only the first call does something.  `process_ends`: nothing but exit handlers and other
 * threads runs from now on. */
void writer_finish (bool process_ends);

/* The id of the writer's thread, which names belong to in the log. */
uint64_t writer_thread (void);

/* While set, this thread does not wait when it hands buffers over, as all others wait for it. */
void writer_set_world_stopped (bool stopped);
bool writer_is_world_stopped (void);

/* In the child of a fork.  After writer_start_over, writer_start starts the child's own. */
void writer_after_fork (void);
void writer_start_over (void);

#endif
