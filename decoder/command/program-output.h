/* program-output.h -- runs programs for what they print. */
#ifndef PROFLOG_PROGRAM_OUTPUT_H
#define PROFLOG_PROGRAM_OUTPUT_H

#include <glib.h>

/* What a program (arguments up to NULL; it is searched in PATH, /usr/sbin and /sbin) prints on
 * standard output within 10 s (transfer full).  `variable` ("NAME=VALUE") is added to its
 * environment; NULL: none. NULL: it cannot be run, or fails. */
char *program_output (char *const *arguments, const char *variable);

#endif
