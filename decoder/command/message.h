/* message.h -- messages on standard error. */
#ifndef PROFLOG_MESSAGE_H
#define PROFLOG_MESSAGE_H

#include <glib.h>
#include <stdbool.h>

/* Writes a line, without its end in `format`, to standard error.  As names in it may hold anything,
 * control characters and bytes that are no UTF-8 are replaced, so that nothing acts on a terminal
 * and a message is one line. */
void cli_message (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* From here on messages are not written, or written again: for logs that are read more than once.
 */
void cli_mute (bool is_mute);
bool cli_is_mute (void);

/* Does the user want colours on a terminal?  Not with NO_COLOR, nor where TERM is dumb. */
bool cli_has_colors (void);

/* Warnings are coloured, or not, wherever standard error goes; without a call, on a terminal. */
void cli_set_color (bool has_color);

/* At the end of a program: writes to a full disk have failed.  Returns the exit status.
 */
int cli_end (int status);

#endif
