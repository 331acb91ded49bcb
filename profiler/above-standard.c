/* above-standard.c -- see above-standard.h. */
#include "profiler/above-standard.h"
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
