/* read.h -- what the readers of all formats share: results and errors.
 *
 * Memory comes from GLib.  Without it GLib prints a message and ends the process, so no function
 * returns an error then.  The commands of proflog end with one line and status 3 instead. */
#ifndef PROFLOG_READ_H
#define PROFLOG_READ_H

#include <glib.h>

G_BEGIN_DECLS

enum proflog_result {
  PROFLOG_EVENT,     /* there is an item */
  PROFLOG_NEED_MORE, /* push more, or finish */
  PROFLOG_END,       /* all was read */
  PROFLOG_ERROR,     /* not a log, or one that cannot be read: the reader's error states why */
};

/* Codes of PROFLOG_READ_ERROR; stable. */
enum proflog_read_error {
  PROFLOG_READ_ERROR_NOT_A_LOG = 1,
  PROFLOG_READ_ERROR_VERSION = 2, /* a log, of a version that is not supported */
  PROFLOG_READ_ERROR_INPUT = 3,   /* the input could not be read */
};
#define PROFLOG_READ_ERROR (proflog_read_error_quark ())
GQuark proflog_read_error_quark (void);

G_END_DECLS

#endif
