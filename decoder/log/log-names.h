/* log-names.h -- names for a log from another one of the same program: --names-from. */
#ifndef PROFLOG_LOG_NAMES_H
#define PROFLOG_LOG_NAMES_H

#include "decoder/log/log-command.h"

/* Reads what info tables stand for from the eventlog of the option into the command, which owns it.
 * False and an error if it cannot be read, is no eventlog, or names none. */
bool log_names_read (struct log_command *command, GError **error);

void log_names_free (struct log_command *command);

#endif
