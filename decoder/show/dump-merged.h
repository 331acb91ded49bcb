/* dump-merged.h -- the events of logs of either format in one stream, by the time of day. */
#ifndef PROFLOG_DUMP_MERGED_H
#define PROFLOG_DUMP_MERGED_H

#include "decoder/log/log-command.h"

/* Dumps the command's logs so.  A log that cannot be read, or has no time of day, is left
 * out, with a message.  Returns the exit status. */
int dump_by_clock (struct log_command *command);

#endif
