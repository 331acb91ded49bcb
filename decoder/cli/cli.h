/* cli.h -- what the commands share. */
#ifndef PROFLOG_CLI_H
#define PROFLOG_CLI_H

/* Exit statuses, the same for every command. */
enum {
  CLI_OK = 0,
  CLI_TRUE = 1,    /* a condition that was asked for is true */
  CLI_USAGE = 2,   /* the command line makes no sense */
  CLI_INPUT = 3,   /* the input cannot be read or is no log */
  CLI_DAMAGED = 4, /* with --strict: the input is damaged or cut */
};

/* Each command gets its own arguments; argv[0] is its name.  Returns the exit status. */
#define COMMAND(name, summary) int cmd_##name (int argc, char **argv);
#include "decoder/cli/commands.def"

#endif
