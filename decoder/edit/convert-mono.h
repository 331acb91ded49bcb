/* convert-mono.h -- converts a Mono log that was opened to the output of its command. */
#ifndef PROFLOG_CONVERT_MONO_H
#define PROFLOG_CONVERT_MONO_H

#include "decoder/log/log-command.h"

/* A Mono log, as one of another data version.  Reports what that cannot represent.  Returns the
 * exit status; nothing is written to a file then unless it is CLI_OK. */
int convert_mono_version (struct log_command *command, unsigned data_version);

/* A Mono log, by its path, as an eventlog: to the command's output, or to a file that is open for
 * writing (`fd`, else -1).  Likewise. */
int convert_mono_to_eventlog (struct log_command *command, const char *path, int fd);

#endif
