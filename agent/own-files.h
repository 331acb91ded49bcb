/* own-files.h -- private directories and descriptors in a process that is not ours. */
#ifndef PROFLOG_OWN_FILES_H
#define PROFLOG_OWN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* ---- directories of private files that belong to no log ---- */

enum { USER_DIRECTORIES = 2 };

/* Writes the nth of them, from 0 on, to `path`: XDG_RUNTIME_DIR, then one under /tmp, which is
 * created if it does not exist.  False with errno if it is not this user's alone; `path` names it
 * then, too, or is "". */
bool user_directory (unsigned n, char *path, size_t size);

/* ---- the module's descriptors in a process that does not know of them ---- */

/* Programs close descriptors that they did not open, and open files of their own under the same
 * numbers. */

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
