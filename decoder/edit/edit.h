/* edit.h -- the commands that write logs of logs. */
#ifndef PROFLOG_EDIT_H
#define PROFLOG_EDIT_H

#include "decoder/log/log-command.h"
#include "decoder/log/log-kind.h"

/* ---- the logs that proflog merge reads ---- */

/* One of the logs that are merged; it can be read again from its beginning. */
struct merge_log {
  const char *path;        /* as log_command has it */
  char *name;              /* for messages; owned */
  struct log_input *input; /* owned; NULL: it was not opened */
  const struct log_kind *kind;
};

/* ---- merge of Mono logs that are parts of one ---- */

/* Writes it to the output of the command.  Returns the exit status, with a message if it is not
 * CLI_OK. */
int merge_mono_logs (struct log_command *command, struct merge_log *logs, size_t n_logs);

/* ---- merge of eventlogs ---- */

/* Writes it to the output of the command.  Returns the exit status, with a message if it is not
 * CLI_OK. */
int merge_eventlogs (struct log_command *command, struct merge_log *logs, size_t n_logs);

/* ---- conversion of a Mono log that was opened ---- */

/* A Mono log, as one of another data version.  Reports the losses.  Returns the exit status;
 * nothing is written to a file then unless it is CLI_OK. */
int convert_mono_version (struct log_command *command, unsigned data_version);

/* A Mono log, by its path, as an eventlog: to the command's output, or to a file that is open for
 * writing (`fd`, else -1).  Likewise. */
int convert_mono_to_eventlog (struct log_command *command, const char *path, int fd);

/* ---- conversion of an eventlog that was opened ---- */

/* An eventlog, as a log of Mono.  Reports the losses.  Returns the exit status; nothing is written
 * to a file then unless it is CLI_OK. */
int convert_eventlog_to_mono (struct log_command *command);

/* ---- repair of a Mono log ---- */

/* Writes the readable events of the log that was inspected, with those of its spool, and reports
 * losses.  Returns the exit status; nothing is written to a file unless that is CLI_OK. */
int repair_mono (struct log_command *command);

/* Reports `skipped` bytes of a log that are lost from this offset on, with the reason.  0: damage
 * without a loss. */
void repair_report_damage (const char *log_name, uint64_t offset, uint64_t skipped,
                           const char *reason);

#endif
