/* sink-socket.c -- sockets of the Unix domain. */
#include "config.h"

#include "profiler/sink-sorts.h"
#include "profiler/descriptors.h"
#include "profiler/warn.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A socket, and the address of the path that the pattern gives.  -1 with a message in `why`. */
static int
make_socket (struct sink *s, const char *pattern, struct sockaddr_un *address, char *why,
             size_t size)
{
  if (!sink_expand (s->name, sizeof s->name, pattern, 0, why, size))
    return -1;
  *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  if (s->name[0] == 0 || strlen (s->name) >= sizeof address->sun_path) {
    snprintf (why, size, "output '%s': the path of a socket has 1 to %zu bytes", s->output,
              sizeof address->sun_path - 1);
    return -1;
  }
  strcpy (address->sun_path, s->name);
  const int fd = above_standard (socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (fd < 0)
    snprintf (why, size, "output '%s': %s", s->output, strerror (errno));
  return fd;
}

/* Whether the socket waits from now on. */
static bool
set_waiting (int fd)
{
  const int flags = fcntl (fd, F_GETFL);
  return flags >= 0 && fcntl (fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

bool
sink_connect (struct sink *s, const char *pattern, char *why, size_t size)
{
  struct sockaddr_un address;
  s->fd = make_socket (s, pattern, &address, why, size);
  if (s->fd < 0)
    return false;
  s->has_reader = true;
  /* One that has no room for whoever comes would hang the program: that is an error. */
  if (connect (s->fd, (struct sockaddr *) &address, sizeof address) == 0 && set_waiting (s->fd))
    return true;
  snprintf (why, size, "output '%s': %s", s->output,
            errno == EAGAIN ? "too many wait there" : strerror (errno));
  return false;
}

bool
sink_listen (struct sink *s, const char *pattern, char *why, size_t size)
{
  struct sockaddr_un address;
  const int fd = make_socket (s, pattern, &address, why, size);
  if (fd < 0)
    return false;
  s->has_reader = true;
  /* Whether somebody listens at a path that is there cannot be found out without disturbing them.
   */
  if (bind (fd, (struct sockaddr *) &address, sizeof address) != 0) {
    snprintf (why, size, "output '%s': %s", s->output,
              errno == EADDRINUSE ? "something is there already" : strerror (errno));
    close (fd);
    return false;
  }
  s->listener = fd;
  /* For when it is removed: the program may change its directory. */
  char resolved[PATH_MAX];
  if (realpath (s->name, resolved) != NULL)
    strcpy (s->name, resolved);
  /* Nobody can connect before it listens, so the mode is right in time. */
  if (chmod (s->name, 0600) == 0 && set_waiting (fd) && listen (fd, 1) == 0)
    return true;
  snprintf (why, size, "output '%s': %s", s->output, strerror (errno));
  unlink (s->name);
  return false;
}

void
sink_end_listening (struct sink *s)
{
  unlink (s->name);
  sink_close (s, &s->listener);
}

/* Whether whoever connected is this user, or may do everything anyway. */
static bool
is_welcome (int fd)
{
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
    return false;
  if (peer.uid == geteuid () || peer.uid == 0)
    return true;
  warn ("a process of user %lu wanted to read the log, and was refused", (unsigned long) peer.uid);
  return false;
}

int
sink_accept (struct sink *s)
{
  for (;;) {
    const int fd = above_standard (accept4 (s->listener, NULL, NULL, SOCK_CLOEXEC));
    if (fd < 0 && errno != EINTR && errno != ECONNABORTED)
      return errno;
    if (fd >= 0 && is_welcome (fd)) {
      sink_end_listening (s); /* there is one log, and one reader of it */
      s->fd = fd;
      sink_opened (s);
      return 0;
    }
    if (fd >= 0)
      close (fd);
  }
}
