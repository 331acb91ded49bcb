/* command-list.h -- all commands of proflog. */
#ifndef PROFLOG_COMMAND_LIST_H
#define PROFLOG_COMMAND_LIST_H

#include "decoder/command/command-table.h"

#define COMMAND(name) extern const struct cli_command command_##name;
#include "decoder/cli/commands.def"

/* Up to NULL, in the order of commands.def.  For programs' main only: it ties each command to it.
 */
extern const struct cli_command *const cli_command_list[];

#endif
