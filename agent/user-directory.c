/* user-directory.c -- finds or creates a directory that belongs to the user alone. */
#include "config.h"

#include "agent/own-files.h"
#include <errno.h>
#include <proflog/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_private (const char *directory)
{
  struct stat st;
  if (lstat (directory, &st) != 0)
    return false;
  errno = S_ISDIR (st.st_mode) ? EPERM : ENOTDIR;
  return S_ISDIR (st.st_mode) && st.st_uid == geteuid () && (st.st_mode & 077) == 0;
}

bool
user_directory (unsigned n, char *path, size_t size)
{
  path[0] = 0;
  if (n == 0) {
    const char *runtime = secure_getenv ("XDG_RUNTIME_DIR");
    errno = ENOENT;
    if (runtime == NULL || runtime[0] != '/')
      return false;
    errno = ENAMETOOLONG;
    return (size_t) snprintf (path, size, "%s", runtime) < size && is_private (path);
  }
  snprintf (path, size, PROFLOG_OWN_DIRECTORY, (long) geteuid ());
  return (mkdir (path, 0700) == 0 || errno == EEXIST) && is_private (path);
}
