/* tell.h -- messages on standard error. */
#ifndef PROFLOG_TELL_H
#define PROFLOG_TELL_H

#include <glib.h>

/* Writes a line, without its end in `format`, to standard error.  As names in it may hold anything,
 * control characters and what is no UTF-8 are replaced, so that nothing acts on a terminal and a
 * message is one line. */
void cli_tell (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* At the end of a program: what was written to a full disk was not done.  Returns the exit status.
 */
int cli_end (int status);

#endif
