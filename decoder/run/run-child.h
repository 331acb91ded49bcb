/* run-child.h -- starts the program of `proflog run` and waits for it. */
#ifndef PROFLOG_RUN_CHILD_H
#define PROFLOG_RUN_CHILD_H

#include <glib.h>
#include <sys/types.h>

/* What is done in the child before the program starts, which may change the words of its arguments
 * and environment, and at least each second while it runs; NULL: nothing. */
struct run_child_watch {
  void (*begin) (void *data);
  void (*look) (void *data, pid_t pid);
  void *data;
};

/* Runs `executable` with these arguments and this environment until it ends.  Meanwhile SIGINT
 * and SIGQUIT are left to it, SIGTERM and SIGHUP are passed on.  Sets *pid.  Returns its exit
 * status, 128+N if signal N ended it; -1 and *error if it could not be started.  Once in a
 * process. */
int run_child (const char *executable, char **arguments, char **environment,
               const struct run_child_watch *watch, pid_t *pid, GError **error);

/* Where this process cannot go on: waits until the program has ended, if one was started.  Returns
 * its status, as run_child does; 0 if there is no program.  Allocates nothing. */
int run_child_outlast (void);

#endif
