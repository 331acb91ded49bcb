/* descriptors.c -- keeps descriptors of the module apart from those of the program. */
#include "config.h"

#include "agent/own-files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
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

bool
is_peer_allowed (int fd, uid_t *user)
{
  struct ucred peer = { .uid = (uid_t) -1 };
  socklen_t length = sizeof peer;
  const bool is_known = getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0;
  *user = peer.uid;
  return is_known && (peer.uid == geteuid () || peer.uid == 0);
}
