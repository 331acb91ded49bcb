/* sink-socket.c -- sockets of the Unix domain. */
#include "config.h"

#include "agent/own-files.h"
#include "profiler/sink/sink-private.h"
#include "agent/warn.h"
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

/* Whether the socket waits from now on.  False with errno if that cannot be set. */
static bool
set_waiting (int fd, bool waits)
{
  const int flags = fcntl (fd, F_GETFL);
  return flags >= 0 && fcntl (fd, F_SETFL, waits ? flags & ~O_NONBLOCK : flags | O_NONBLOCK) == 0;
}

/* Binds; the socket that a process which was killed has left there goes.  A socket of another type
 * cannot connect, but finds out whether there is still a listener, which does not notice.
 * False with errno. */
static bool
bind_at (int fd, const struct sockaddr_un *address)
{
  const struct sockaddr *const to = (const struct sockaddr *) address;
  struct stat st;
  if (bind (fd, to, sizeof *address) == 0)
    return true;
  if (errno != EADDRINUSE)
    return false;
  const int probe = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const bool is_left = probe >= 0 && lstat (address->sun_path, &st) == 0 && S_ISSOCK (st.st_mode)
                       && st.st_uid == geteuid () && connect (probe, to, sizeof *address) != 0
                       && errno == ECONNREFUSED;
  if (probe >= 0)
    close (probe);
  if (is_left && unlink (address->sun_path) == 0)
    return bind (fd, to, sizeof *address) == 0;
  errno = EADDRINUSE;
  return false;
}

bool
sink_connect (struct sink *s, const char *pattern, char *why, size_t size)
{
  struct sockaddr_un address;
  s->fd = make_socket (s, pattern, &address, why, size);
  if (s->fd < 0)
    return false;
  s->has_reader = true;
  /* A listener with a full queue would hang the program: that is an error. */
  if (connect (s->fd, (struct sockaddr *) &address, sizeof address) == 0
      && set_waiting (s->fd, true))
    return true;
  snprintf (why, size, "output '%s': %s", s->output,
            errno == EAGAIN ? "too many connections wait there" : strerror (errno));
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
  if (!bind_at (fd, &address)) {
    snprintf (why, size, "output '%s': %s", s->output,
              errno == EADDRINUSE ? "the path exists already" : strerror (errno));
    close (fd);
    return false;
  }
  s->listener = fd;
  /* For when it is removed: the program may change its directory. */
  char resolved[PATH_MAX];
  if (realpath (s->name, resolved) != NULL)
    strcpy (s->name, resolved);
  /* No reader can connect before it listens, so the mode is right in time. */
  if (chmod (s->name, 0600) == 0 && set_waiting (fd, true) && listen (fd, 1) == 0)
    return true;
  snprintf (why, size, "output '%s': %s", s->output, strerror (errno));
  return false; /* sink_free removes the socket */
}

static bool
is_welcome (int fd)
{
  uid_t user;
  const bool is_allowed = is_peer_allowed (fd, &user);
  if (!is_allowed)
    proflog_warn ("refused a reader: it belongs to user %lu", (unsigned long) user);
  return is_allowed;
}

static int
accept_welcome (struct sink *s)
{
  for (;;) {
    const int fd = above_standard (accept4 (s->listener, NULL, NULL, SOCK_CLOEXEC));
    if (fd < 0 && errno != EINTR && errno != ECONNABORTED)
      return -1;
    if (fd >= 0 && is_welcome (fd))
      return fd;
    if (fd >= 0)
      close (fd);
  }
}

int
sink_accept (struct sink *s)
{
  s->fd = accept_welcome (s);
  if (s->fd < 0)
    return errno;
  return set_waiting (s->listener, false) ? 0 : errno;
}

int
sink_accept_waiting (struct sink *s)
{
  return accept_welcome (s);
}
