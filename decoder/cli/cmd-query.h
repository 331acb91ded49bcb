/* cmd-query.h -- proflog query, which other commands run, too. */
#ifndef PROFLOG_CMD_QUERY_H
#define PROFLOG_CMD_QUERY_H

/* Runs the program of the command in the place of this one; argv[0] is the name of the command.
 * Returns the exit status if that fails, which was reported. */
int cmd_query_run (char **argv);

#endif
