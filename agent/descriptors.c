/* descriptors.c -- keeps descriptors of the module apart from those of the program. */
#include "config.h"

#include "agent/descriptors.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int
above_standard (int fd)
{
  if (fd < 0 || fd > STDERR_FILENO)
    return fd;
  int copy = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int error = errno;
  close (fd);
  errno = error;
  return copy;
}

bool
is_still_open (int fd, const struct stat *file)
{
  struct stat now;
  return fstat (fd, &now) == 0 && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}
