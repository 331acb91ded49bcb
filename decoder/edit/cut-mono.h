/* cut-mono.h -- proflog cut of a Mono log. */
#ifndef PROFLOG_CUT_MONO_H
#define PROFLOG_CUT_MONO_H

#include "decoder/log/log-command.h"

/* Writes the selected part of the Mono log that was opened.  Returns the exit status; nothing is
 * written to a file then unless it is CLI_OK. */
int cut_mono (struct log_command *command);

#endif
