/* progress.h -- how far reading a log is, on a terminal.
 *
 * Nothing is shown in the first second, nor where standard error is no terminal.
 */
#ifndef PROFLOG_PROGRESS_H
#define PROFLOG_PROGRESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
  bool enabled;
  bool shown;         /* a line stands on the terminal */
  uint64_t total;     /* bytes; 0: not known */
  uint64_t bytes;     /* that were read */
  gint64 start, next; /* monotonic us: of the beginning, of the next line */
  guint log, logs;    /* the log that is read, from 1, and how many there are; 0: just one */
};

/* The next log is the `log`-th of `logs`, whose progress is one.  Each is cleared only when
 * something else may be printed. */
void progress_set_place (struct progress *progress, guint log, guint logs);

/* Begins; of zeros before the first time.  `total` bytes are to be read, 0 if that is not known.
 * `quiet`: shows nothing. */
void progress_begin (struct progress *progress, uint64_t total, bool quiet);

/* This many bytes were read.  Cheap enough for every block. */
void progress_update (struct progress *progress, uint64_t bytes);

/* The log was read: clears the line unless another one follows. */
void progress_end (struct progress *progress);

/* Clears the line, so that something else may be printed; a later update shows it again. */
void progress_clear (struct progress *progress);

#endif
