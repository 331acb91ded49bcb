/* writer.h -- the thread that writes the log.
 *
 * A plain thread that the runtime does not know and never suspends.  It takes full buffers and
 * announcements of names from a queue (buffer-queue.h), in order.
 */
#ifndef PROFILER_WRITER_H
#define PROFILER_WRITER_H

#include "profiler/sink/sink.h"
#include "profiler/write/log-keep.h"
#include <limits.h>
#include <stddef.h>

/* The limits of the memory of buffers that wait, and of files. */
struct writer_limits {
  uint64_t memory; /* bytes */
  /* The longest that a thread waits for room; 0: it drops events at once.  The second one counts
   * where the log has a reader while it is written. */
  unsigned block_ms, reader_block_ms;
  uint64_t rotate_bytes, rotate_ns; /* when the log goes on in another file; 0: never */
  struct log_keeping keeping;       /* which files remain */
  uint64_t end_bytes, end_ns;       /* when the log ends before the program; 0: it does not */
  /* Called when it ends so: nothing is recorded from then on. */
  void (*stop) (void);
  /* Called when the log can no longer be written, and when another output was selected. */
  void (*set_failed) (bool has_failed);
};

/* Starts the thread, which writes the file header.  The sink is the writer's from now on, also when
 * this fails.  Returns 0 or an errno number. */
int writer_start (struct sink *sink, const struct writer_limits *limits);

/* From any thread: changes both times that a thread waits. */
void writer_set_block_ms (unsigned ms);

/* The state of the log. */
struct writer_figures {
  char log[PATH_MAX]; /* its name */
  uint64_t bytes;     /* before compression */
  uint64_t buffers;   /* of events */
  uint64_t events;    /* but for names */
  bool estimated;     /* the number of events is an estimate */
  uint64_t waiting;   /* bytes of full buffers that wait to be written */
};
void writer_get_figures (struct writer_figures *figures);

/* Writes all that every thread has recorded up to now, ends the log and the thread.  Recording
 * stops.  Only the first call does something.  `process_ends`: nothing but exit handlers and other
 * threads runs from now on. */
void writer_finish (bool process_ends);

/* In the child of a fork.  After writer_start_over, writer_start starts the child's own. */
void writer_after_fork (void);
void writer_start_over (void);

/* Writes all events that were recorded up to now, and lets the log go on in another file
 * (log_change).  Returns 0, or an errno number with a message in `why`.  From one thread at a time.
 */
int writer_change_output (const char *output, unsigned limit_ms, char *why, size_t size);

#endif
