/* log-index.h -- --index: the file beside a log that states the positions of its parts. */
#ifndef PROFLOG_LOG_INDEX_H
#define PROFLOG_LOG_INDEX_H

#include "decoder/log/log-command.h"
#include "decoder/input/log-input.h"

extern const struct cli_option log_index_option[];

/* Writes the index of a log that was opened, of which nothing was read, if that is requested and
 * there is none that holds.  If it cannot be, it is reported once, and the command goes on without.
 */
void log_command_write_index (struct log_command *command, struct log_input *input);

#endif
