/* command-help.h -- `proflog --help`, the help of each command, and the data for completion. */
#ifndef PROFLOG_COMMAND_HELP_H
#define PROFLOG_COMMAND_HELP_H

#include "decoder/cli/command-table.h"

/* Prints the help of a command to standard output, as wide as the terminal. */
void command_help_print (const struct cli_command *command);

/* The list of all commands. */
char *command_help_list (void);

/* Prints all commands, options and fixed values to standard output, for programs that complete
 * command lines.  Each line has fields between tabs:
 *
 *   command  COMMAND  GROUP  SUMMARY
 *   word     COMMAND  VALUE                                  an argument, such as a verb of ctl
 *   option   COMMAND  --NAME  -X  KIND  ARGUMENT  SENTENCE   "" where there is none
 *   value    COMMAND  --NAME  VALUE
 *   alias    COMMAND  --NAME  --NEW-NAME                     hidden
 *   hidden   COMMAND  --NAME                                 accepted
 *   refused  COMMAND  --NAME                                 known, for its message
 *
 * KIND is "flag", "value", "optional" (--NAME or --NAME=VALUE) or "many" (may be repeated). */
void command_help_complete (void);

#endif
