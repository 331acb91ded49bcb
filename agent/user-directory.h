/* user-directory.h -- the directories of private files that belong to no log. */
#ifndef AGENT_USER_DIRECTORY_H
#define AGENT_USER_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

enum { USER_DIRECTORIES = 2 };

/* Writes the nth of them, from 0 on, to `path`: XDG_RUNTIME_DIR, then one under /tmp, which is
 * created if it does not exist.  False with errno if it is not this user's alone; `path` names it
 * then, too, or is "". */
bool user_directory (unsigned n, char *path, size_t size);

#endif
