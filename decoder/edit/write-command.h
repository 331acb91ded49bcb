/* write-command.h -- functions of the commands that write logs. */
#ifndef PROFLOG_WRITE_COMMAND_H
#define PROFLOG_WRITE_COMMAND_H

#include "decoder/convert/convert-losses.h"
#include "decoder/ghc/edit/ghc-rewrite.h"
#include "decoder/ghc/query/ghc-filter.h"
#include "decoder/log/log-kind.h"
#include <proflog/mlpd-writer.h>

/* Parses the command line of a command that writes one log from another (see log_command_parse),
 * and opens the output.  With `has_spool` its spool may stand before or after the log.  False with
 * the exit status in *status if that was all; the command is finished then. */
bool write_command_parse (struct log_command *command, const struct cli_command *spec,
                          bool has_spool, int argc, char **argv, int *status);

/* Opens the output.  A log is not written to a terminal.  False with the exit status in *status. */
bool write_command_open (struct log_command *command, int *status);

/* The same of something else that means nothing on a terminal, and the request in its place. */
bool write_command_open_other (struct log_command *command, const char *thing, const char *instead,
                               int *status);

/* Makes a log of the one that was inspected.  `filter` is called before its first item, `item` with
 * each, before it is written; `damage` with that of the compression.  All may be NULL.  Returns the
 * exit status; nothing is written to a file then unless it is CLI_OK. */
struct write_watch {
  void (*filter) (void *data, struct ghc_filter *filter);
  void (*item) (void *data, const struct ghc_item *item);
  void (*damage) (void *data, bool truncated, const char *message);
  void *data;
};
int write_command_log (struct log_command *command, struct ghc_rewrite *rewrite,
                       const struct write_watch *watch);

/* Makes a log of Mono of the command's only log, which was inspected: `item` writes each item in
 * its new form, `end` the bytes after the last (NULL: nothing).  `item` is false, with an error, if
 * something cannot be written.  Returns the exit status; nothing is written to a file then unless
 * it is CLI_OK. */
struct write_mono {
  struct mlpd_writer *writer;
  bool (*item) (void *data, const struct mlpd_item *item, GError **error);
  void (*end) (void *data);
  void *data;
};
int write_command_mono_log (struct log_command *command, const struct write_mono *write);

/* Appends the bytes that were written since the last call to `out`. */
void write_command_take_mono (struct mlpd_writer *writer, GString *out);

/* Writes that to the output.  False: it cannot be written, which was reported. */
bool write_command_rest_mono (struct log_command *command, struct mlpd_writer *writer);

/* Runs the command's action for its log, by its format, as log_kind_run.  The output is given up if
 * the status is not CLI_OK. */
int write_command_run (struct log_command *command, bool selects,
                       const struct log_action actions[LOG_KINDS], void *data);

/* Gives the output up: a file does not come to be.  Closes a log that was inspected. */
void write_command_discard (struct log_command *command);

/* A line for each kind, on standard error, unless the command is quiet.  `path` is the log that was
 * converted, `target` the format that cannot represent them: "data version 1". */
void write_command_report_losses (const struct log_command *command, const char *path,
                                  const char *target, const struct convert_losses *losses);

#endif
