/* show-mono.h -- proflog show of a Mono log. */
#ifndef PROFLOG_SHOW_MONO_H
#define PROFLOG_SHOW_MONO_H

#include "decoder/log/log-command.h"

/* Prints the events of the Mono log that was opened, in this order.  Returns the exit status. */
int show_mono (struct log_command *command, const char *path, enum log_order order);

#endif
