/* command.h -- commands that read a log from their standard input.
 *
 * A command is started and left by one thread at a time.
 */
#ifndef AGENT_COMMAND_H
#define AGENT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Makes an argument of its pattern (%p, ...).  False with a message in `why`. */
typedef bool (*command_expand) (char *to, size_t to_size, const char *pattern, char *why,
                                size_t size);

/* Starts a command, of less than PATH_MAX bytes, which is split at blanks; quotes and backslashes
 * protect.  Returns the descriptor of the pipe to its standard input, and sets *pid; -1 with a
 * message in `why`. */
int command_start (const char *command, command_expand expand, pid_t *pid, char *why, size_t size);

/* After its descriptor was closed: waits for its end, a bounded time.  `outcome` is a clause for a
 * message if it has failed or still runs, else "". */
void command_wait (pid_t pid, const char *name, char *outcome, size_t size);

/* Whether it has not ended. */
bool command_runs (pid_t pid);

/* Instead of waiting: it ends in its own time. */
void command_leave (pid_t pid, const char *name);

/* Reaps such commands that have ended, and reports those that failed; false: none is left.  The
 * second one waits for the end of all, a bounded time. */
bool commands_reap (void);
void commands_wait (void);

/* In the child of a fork: they are the parent's. */
void commands_forget (void);

#endif
