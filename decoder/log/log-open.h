/* log-open.h -- opens logs that commands read, and reports their damage (formats: log-kind.h). */
#ifndef PROFLOG_LOG_OPEN_H
#define PROFLOG_LOG_OPEN_H

#include "decoder/log/log-command.h"
#include "decoder/ghc/query/ghc-filter.h"
#include "decoder/input/log-input.h"
#include <proflog/mlpd-reader.h>

/* How messages name a log: "-" is standard input. */
const char *log_command_called (const char *log_name);

/* Warns that none of this many `things` was selected. */
void log_command_warn_empty_selection (struct log_command *command, const char *log_name,
                                       uint64_t count, const char *things);

/* Warns of damage of a log. */
void log_command_warn (struct log_command *command, const char *log_name, const char *message);

/* Damages of a log that are named in warnings; the rest is counted. */
#define LOG_WARNINGS_MAX 5

/* Warns that there is this much more. */
void log_command_warn_more (struct log_command *command, const char *log_name, guint more);

/* The text of a warning of damage, for which bytes were skipped (transfer full). */
char *log_damage_message (const char *damage, uint64_t skipped);

/* ---- for log-read.c and its like ---- */

struct log_read_context {
  struct log_command *command;
  const char *name;      /* of the log, for messages */
  const char *last_file; /* that a process may still write */
  guint warnings;
  bool has_header;
  bool has_read_error; /* that was reported */
  long writer;         /* the process that is still writing the log; 0: none is known */
};

/* Opens a log, or continues with the one that was opened.  NULL with a message if that fails. */
struct log_input *log_read_context_open (struct log_read_context *reading, const char *path);

/* The same for an eventlog: makes the filter of the command's selection (free it with
 * ghc_filter_clear), and calls `prepare` before the reading (NULL: nothing). */
struct log_input *log_read_context_open_eventlog (struct log_read_context *reading,
                                                  const char *path, struct ghc_filter *filter,
                                                  bool (*prepare) (struct log_input *input,
                                                                   GError **error));

/* At its end: reports a read error and damage of its compression, and the number of unreported
 * damages.  Returns the former (transfer full), or NULL.  If it is called again, it reports new
 * ones. */
char *log_read_context_report (struct log_read_context *reading, struct log_input *input,
                               int status, bool *truncated);

/* The same, and closes it. */
char *log_read_context_close (struct log_read_context *reading, struct log_input *input, int status,
                              bool *truncated);

/* Reports an error of reading the log; returns false. */
bool log_read_context_error (struct log_read_context *reading, const GError *error);

/* The same, and closes the log; returns the exit status.  Frees the error. */
int log_read_context_refuse (struct log_read_context *reading, struct log_input *input,
                             GError *error);

/* Handles the damage or the header of a Mono log: counts damage and warns of it.  A log that ends
 * in its header has no contents: that is an error, and *status becomes CLI_INPUT.  False if the
 * damage is none: a process is still writing the log, so its end is missing. */
bool log_read_context_handle_item (struct log_read_context *reading, const struct mlpd_item *item,
                                   int *status);

/* The same of an eventlog. */
bool log_read_context_handle_ghc_item (struct log_read_context *reading,
                                       const struct ghc_item *item, int *status);

#endif
