/* child.h -- a child of a fork that nobody notices. */
#ifndef PROFILER_CHILD_H
#define PROFILER_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* ---- a copy of this process that the program does not notice ---- */

/* It raises no SIGCHLD, the program's wait and waitpid do not see it, and it has none of the
 * program's descriptors. */

/* Begins it.  Returns 0 in the child, its process id in the parent, -1 with errno.  No handlers of
 * forks run, and locks of other threads stay locked for ever in the child: it calls nothing that
 * locks or allocates, and ends with _exit.  A fault of it ends it without a trace. */
pid_t quiet_child_start (void);

/* In the child, now and then: it ends here if the parent has ended, and by itself if it does not
 * come here for `seconds`. */
void quiet_child_go_on (unsigned seconds);

/* In the parent: whether it has ended. */
bool quiet_child_has_ended (pid_t child);

/* In the parent: ends it, unless quiet_child_has_ended has returned true. */
void quiet_child_kill (pid_t child);

/* ---- pages that a fork left shared ---- */

/* After a fork each page of this process faults at its next write, also when the child has ended.
 * Takes these faults now, on this thread, for private memory that is there.  Where the kernel
 * cannot do that (before Linux 5.14), nothing happens. */
void shared_pages_unshare (void);

#endif
