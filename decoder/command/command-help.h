/* command-help.h -- `proflog --help`, and the help of each command. */
#ifndef PROFLOG_COMMAND_HELP_H
#define PROFLOG_COMMAND_HELP_H

#include "decoder/command/command-table.h"

/* Prints the help of a command to standard output, as wide as the terminal.  Without `whole`, the
 * first sentence about each option, and the description up to CLI_MORE. */
void command_help_print (const struct cli_command *command, bool whole);

/* The first commands to know, in at most 22 lines. */
extern const char command_help_first[];

/* The list of all commands. */
char *command_help_list (void);

/* The titles of the groups. */
extern const char *const command_help_groups[CLI_GROUPS];

/* The description of a command: paragraphs, and lists of lines "  NAME  text", without those that
 * `describe` appends (transfer full). */
char *command_help_description (const struct cli_command *command);

/* The same with those (transfer full). */
char *command_help_text (const struct cli_command *command);

/* The text of the first row of a list in that description whose name begins with the word `name`
 * (transfer full); NULL: there is none. */
char *command_help_row (const struct cli_command *command, const char *name);

#endif
