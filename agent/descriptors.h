/* descriptors.h -- the module's descriptors in a process that does not know of them: programs close
 * descriptors that they did not open, and open files of their own under the same numbers. */
#ifndef AGENT_DESCRIPTORS_H
#define AGENT_DESCRIPTORS_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Moves the open file to a number above standard error, closed by exec: a program that was started
 * without standard output or error must not write into it.  Closes `fd` if the number changes.  -1
 * with errno; also for a negative `fd`, whose errno remains. */
int above_standard (int fd);

/* Whether the descriptor is still of the file that fstat returned before: otherwise it is the
 * program's, and must neither be used nor closed. */
bool is_still_open (int fd, const struct stat *file);

/* Whether the peer of a connected socket of the Unix domain is this process's user, or root; *user
 * is its number. */
bool is_peer_allowed (int fd, uid_t *user);

#endif
