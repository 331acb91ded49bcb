/* terminal.h -- a terminal that shows a page and reads keys. */
#ifndef PROFLOG_TERMINAL_H
#define PROFLOG_TERMINAL_H

#include <glib.h>
#include <stdbool.h>

enum terminal_key { KEY_NONE = -1, KEY_UP = 256, KEY_DOWN };

/* Takes the terminal of standard input and output; false if these are none.  At the end, and when a
 * signal ends the process, it is as it was. */
bool terminal_open (void);
void terminal_close (void);

/* Its size, which may change at any time; it need not be open. */
void terminal_size (unsigned *columns, unsigned *rows);

/* The width of text on it: COLUMNS if it is set, else its own, else 80. */
unsigned terminal_columns (void);

/* Shows a page, of lines with ends, in place of the last one. */
void terminal_show (const GString *page);

/* A key that was pressed, a character or one of those above; KEY_NONE if none was.  Does not wait.
 */
int terminal_key (void);

#endif
