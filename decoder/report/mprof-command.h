/* mprof-command.h -- the command under the name mprof-report. */
#ifndef PROFLOG_MPROF_COMMAND_H
#define PROFLOG_MPROF_COMMAND_H

#include <stdbool.h>

/* Is the program called by that name?  `program` is argv[0]. */
bool mprof_command_is_name (const char *program);

/* Runs it: options, text and status are those of Debian's mprof-report 6.8.  Returns the status. */
int mprof_command_run (int argc, char **argv);

#endif
