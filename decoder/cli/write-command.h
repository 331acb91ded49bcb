/* write-command.h -- what the commands that write eventlogs share. */
#ifndef PROFLOG_WRITE_COMMAND_H
#define PROFLOG_WRITE_COMMAND_H

#include "decoder/analyses/ghc-rewrite.h"
#include "decoder/cli/log-command.h"

/* Reads the command line of a command that makes one log of another, and opens the output.  False
 * with the exit status in *status if that was all; the command is finished then. */
bool write_command_parse (struct log_command *command, const struct log_command_sort *sort,
                          int argc, char **argv, int *status);

/* Reads the command line of a command that makes one eventlog of another, and opens both.  False
 * with the exit status in *status if that was all; the command is finished then. */
bool write_command_begin (struct log_command *command, const struct log_command_sort *sort,
                          int argc, char **argv, int *status);

/* Opens the output.  A log is not written to a terminal.  False with the exit status in *status. */
bool write_command_open (struct log_command *command, int *status);

/* Opens a log, which must be an eventlog of GHC.  False with a message and *status. */
bool write_command_look (struct log_command *command, const char *path, int *status);

/* Makes a log of the one that was looked at.  `choice` is called before its first item, `item` with
 * each, before it is written; `damage` with that of the compression.  All may be NULL.  Returns the
 * exit status; nothing is written to a file then unless it is CLI_OK. */
struct write_watch {
  void (*choice) (void *data, struct ghc_choice *choice);
  void (*item) (void *data, const struct ghc_item *item);
  void (*damage) (void *data, bool truncated, const char *message);
  void *data;
};
int write_command_log (struct log_command *command, struct ghc_rewrite *rewrite,
                       const struct write_watch *watch);

/* Gives the output up: a file does not come to be.  Closes a log that was looked at. */
void write_command_give_up (struct log_command *command);

#endif
