/* cli.h -- what the commands share. */
#ifndef PROFLOG_CLI_H
#define PROFLOG_CLI_H

/* Exit statuses, the same for every command.  What concerns one log is never CLI_USAGE, as others
 * may have been read: of the statuses of several logs the largest is that of the command, and
 * CLI_DAMAGED takes the place of smaller ones but for CLI_INPUT and CLI_USAGE. */
enum {
  CLI_OK = 0,
  CLI_TRUE = 1,    /* a condition that was asked for is true */
  CLI_USAGE = 2,   /* the command line makes no sense */
  CLI_INPUT = 3,   /* the input cannot be read or is no log that the command reads */
  CLI_DAMAGED = 4, /* with --strict: the input is damaged or cut */
};

/* Each command gets its own arguments; argv[0] is its name.  Returns the exit status. */
#define COMMAND(name, summary) int cmd_##name (int argc, char **argv);
#include "decoder/cli/commands.def"

#endif
