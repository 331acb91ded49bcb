/* log-join.h -- joins the files of one log (rotate=) that a command line names. */
#ifndef PROFLOG_LOG_JOIN_H
#define PROFLOG_LOG_JOIN_H

#include "decoder/cli/log-command.h"

/* Replaces those of `n` words that are files of one log by one name for the log, at the place of
 * the first of them.  Other words stay.  Returns how many words there are now. */
guint log_command_join (struct log_command *command, char **words, guint n);

/* The files of the log of this name, in their order; NULL if it is one file. */
char *const *log_command_files (const struct log_command *command, const char *log);

#endif
