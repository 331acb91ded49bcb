/* anonymize-mono.h -- writes a Mono log without its texts. */
#ifndef PROFLOG_ANONYMIZE_MONO_H
#define PROFLOG_ANONYMIZE_MONO_H

#include "decoder/core/secret.h"
#include "decoder/log/log-command.h"

/* Writes the command's only log to its output.  Returns the exit status. */
int anonymize_mono (struct log_command *command, const struct secrets *secrets);

#endif
