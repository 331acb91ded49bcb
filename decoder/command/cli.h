/* cli.h -- the exit statuses, the same for every command.
 *
 * A problem of one log is never CLI_USAGE, as other logs may have been read.  Of several logs the
 * largest status is that of the command.  CLI_DAMAGED replaces smaller ones. */
#ifndef PROFLOG_CLI_H
#define PROFLOG_CLI_H

enum {
  CLI_OK = 0,
  CLI_TRUE = 1,    /* a requested condition is true */
  CLI_USAGE = 2,   /* the command line is wrong */
  CLI_INPUT = 3,   /* the input cannot be read, or is not a log that the command reads */
  CLI_DAMAGED = 4, /* with --strict: the input is damaged or truncated */
};

#endif
