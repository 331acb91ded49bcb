/* repair-mono.h -- proflog repair, of logs of Mono. */
#ifndef PROFLOG_REPAIR_MONO_H
#define PROFLOG_REPAIR_MONO_H

#include "decoder/log/log-command.h"

/* Writes what is readable of the log that was inspected, with what its spool has, and reports what
 * was lost.  Returns the exit status; nothing is written to a file unless that is CLI_OK. */
int repair_mono (struct log_command *command);

/* Reports `skipped` bytes of a log that are lost from this offset on, with the reason.  0: damage
 * without a loss. */
void repair_report_damage (const char *log_name, uint64_t offset, uint64_t skipped,
                           const char *reason);

#endif
