/* command-list.c -- all commands of proflog. */
#include "config.h"

#include "decoder/cli/command-list.h"

const struct cli_command *const cli_command_list[] = {
#define COMMAND(name) &command_##name,
#include "decoder/cli/commands.def"
  NULL
};
