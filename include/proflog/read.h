/* read.h -- the results and errors that the readers of all formats share.
 *
 * Memory comes from GLib.  When there is none, GLib prints a message and ends the process, so no function
 * returns an error then.  The commands of proflog end with one line and status 3 instead.
 *
 * Of all of libproflog: different readers, writers and logs are independent, and each belongs to one
 * thread at a time.  None of its functions may be called from a signal handler.
 */
#ifndef PROFLOG_READ_H
#define PROFLOG_READ_H

#include <glib.h>

G_BEGIN_DECLS

/* The result of a request for the next item. */
enum proflog_result {
  PROFLOG_EVENT,     /* there is an item: an event, or another */
  PROFLOG_NEED_MORE, /* push more, or finish; never from proflog_log_next, which reads by itself */
  PROFLOG_END,       /* all was read */
  PROFLOG_ERROR,     /* not a log, or one that cannot be read: the reader's error states why */
};

/* Codes of PROFLOG_READ_ERROR; their numbers stay. */
enum proflog_read_error {
  PROFLOG_READ_ERROR_NOT_A_LOG = 1,
  PROFLOG_READ_ERROR_VERSION = 2, /* a log, of a version that is not supported */
  PROFLOG_READ_ERROR_INPUT = 3,   /* the input could not be read */
};
/* The domain of errors of reading.  Any thread may call it. */
#define PROFLOG_READ_ERROR (proflog_read_error_quark ())
GQuark proflog_read_error_quark (void);

G_END_DECLS

#endif
