/* ghc-destination.c -- parses a destination, and opens its socket, FIFO or file. */
#include "config.h"

#include "ghc/ghc-destination.h"
#include "agent/command.h"
#include "agent/own-files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define CONNECT "unix:"
#define LISTEN "unix-listen:"

enum { BACKLOG = 8 };

static bool
begins_with (const char *text, const char *start)
{
  return strncmp (text, start, strlen (start)) == 0;
}

static bool
set_problem (char *why, size_t size, const char *what, int error)
{
  snprintf (why, size, "%s: %s", what, strerror (error));
  return false;
}

/* ---- sockets ---- */

/* A socket that does not wait, and the address of the path.  -1 with errno. */
static int
make_socket (const char *path, struct sockaddr_un *address)
{
  *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  if (path[0] == 0 || strlen (path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy (address->sun_path, path);
  return above_standard (socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

static bool
begin_to_listen (struct ghc_destination *d, char *why, size_t size)
{
  struct sockaddr_un address;
  const int fd = make_socket (d->path, &address);
  if (fd < 0)
    return set_problem (why, size, d->path, errno);
  if (bind (fd, (struct sockaddr *) &address, sizeof address) != 0) {
    set_problem (why, size, d->path, errno);
    close (fd);
    return false;
  }
  /* For when it is removed: the program may change its directory. */
  char resolved[PATH_MAX];
  if (realpath (d->path, resolved) != NULL)
    strcpy (d->path, resolved);
  /* Nobody can connect before it listens, so the mode is right in time. */
  if (chmod (d->path, 0600) == 0 && listen (fd, BACKLOG) == 0) {
    d->listener = fd;
    return true;
  }
  set_problem (why, size, d->path, errno);
  unlink (d->path);
  close (fd);
  return false;
}

static int
accept_reader (const struct ghc_destination *d)
{
  const int fd = above_standard (accept4 (d->listener, NULL, NULL, SOCK_CLOEXEC));
  uid_t user;
  if (fd < 0 || is_peer_allowed (fd, &user))
    return fd;
  close (fd);
  return -1;
}

static int
connect_reader (const struct ghc_destination *d)
{
  struct sockaddr_un address;
  const int fd = make_socket (d->path, &address);
  if (fd < 0 || connect (fd, (struct sockaddr *) &address, sizeof address) == 0)
    return fd;
  const int error = errno;
  close (fd);
  errno = error;
  return -1;
}

/* ---- files ---- */

static bool
parse_descriptor (struct ghc_destination *d, const char *text, char *why, size_t size)
{
  char *end;
  const long number = strtol (text, &end, 10);
  const bool is_number = *text != 0 && *end == 0 && number >= 0 && number <= INT_MAX;
  /* The program's own one stays open. */
  d->fd = is_number ? fcntl ((int) number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
  if (d->fd < 0)
    snprintf (why, size, "#%s is no open descriptor", text);
  return d->fd >= 0;
}

static bool
expand_nothing (char *to, size_t to_size, const char *pattern, char *why, size_t size)
{
  const int n = snprintf (to, to_size, "%s", pattern);
  if (n >= 0 && (size_t) n < to_size)
    return true;
  snprintf (why, size, "output: an argument is longer than %zu bytes", to_size - 1);
  return false;
}

static bool
open_command (struct ghc_destination *d, const char *command, char *why, size_t size)
{
  d->fd = command_start (command, expand_nothing, &d->command, why, size);
  if (d->fd < 0)
    d->command = 0;
  else
    snprintf (d->path, sizeof d->path, "%s", command);
  return d->fd >= 0;
}

/* Writing to a FIFO begins when it has a reader. */
static bool
open_file (struct ghc_destination *d, char *why, size_t size)
{
  struct stat st;
  if (lstat (d->path, &st) == 0 && S_ISFIFO (st.st_mode)) {
    d->kind = GHC_DESTINATION_FIFO;
    return true;
  }
  d->fd = above_standard (
      open (d->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
            0600));
  return d->fd >= 0 || set_problem (why, size, d->path, errno);
}

bool
ghc_destination_open (struct ghc_destination *d, const char *output, char *why, size_t size)
{
  const char *path = output;
  *d = (struct ghc_destination){ .kind = GHC_DESTINATION_FILE, .listener = -1, .fd = -1 };
  if (output[0] == '#')
    return parse_descriptor (d, output + 1, why, size);
  if (output[0] == '|')
    return open_command (d, output + 1, why, size);
  if (begins_with (output, CONNECT)) {
    d->kind = GHC_DESTINATION_CONNECT;
    path = output + strlen (CONNECT);
  } else if (begins_with (output, LISTEN)) {
    d->kind = GHC_DESTINATION_LISTEN;
    path = output + strlen (LISTEN);
  }
  if (strlen (path) >= sizeof d->path)
    return set_problem (why, size, "output", ENAMETOOLONG);
  strcpy (d->path, path);
  if (d->kind == GHC_DESTINATION_LISTEN)
    return begin_to_listen (d, why, size);
  return d->kind == GHC_DESTINATION_CONNECT || open_file (d, why, size);
}

bool
ghc_destination_open_other (struct ghc_destination *d, const char *output, char *why, size_t size)
{
  struct stat st;
  if (lstat (output, &st) == 0 && S_ISREG (st.st_mode)) {
    snprintf (why, size, "there is %s", output);
    return false;
  }
  if (!ghc_destination_open (d, output, why, size))
    return false;
  if (d->kind == GHC_DESTINATION_LISTEN || d->fd >= 0)
    return true;
  d->fd = ghc_destination_find_reader (d);
  if (d->fd >= 0)
    return true;
  snprintf (why, size, "%s: %s", d->path,
            errno == ENXIO ? "is a FIFO without a reader" : strerror (errno));
  return false;
}

int
ghc_destination_find_reader (struct ghc_destination *d)
{
  switch (d->kind) {
  case GHC_DESTINATION_LISTEN:
    return accept_reader (d);
  case GHC_DESTINATION_CONNECT:
    return connect_reader (d);
  case GHC_DESTINATION_FIFO:
    return above_standard (open (d->path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  default:
    return -1;
  }
}

void
ghc_destination_close (struct ghc_destination *d)
{
  if (d->listener < 0)
    return;
  unlink (d->path);
  close (d->listener);
  d->listener = -1;
}
