/* convert-ghc.h -- converts an eventlog that was opened to the output of its command. */
#ifndef PROFLOG_CONVERT_GHC_H
#define PROFLOG_CONVERT_GHC_H

#include "decoder/log/log-command.h"

/* An eventlog, as a log of Mono.  Reports what that cannot represent.  Returns the exit status;
 * nothing is written to a file then unless it is CLI_OK. */
int convert_eventlog_to_mono (struct log_command *command);

#endif
