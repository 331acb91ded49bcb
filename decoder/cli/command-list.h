/* command-list.h -- all commands of proflog.  For programs' main only: it ties each command to it.
 */
#ifndef PROFLOG_COMMAND_LIST_H
#define PROFLOG_COMMAND_LIST_H

#include "decoder/cli/command-table.h"

/* Up to NULL, in the order of commands.def. */
extern const struct cli_command *const cli_command_list[];

#endif
