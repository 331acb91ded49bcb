/* log-peer.c -- for tests: reads a log from a socket.
 *
 *   log-peer connect PATH [BYTES]   connects, as soon as somebody listens there
 *   log-peer listen PATH [BYTES]    listens there for one who connects
 *
 * Copies its input to its output, to the end, or until there were this many bytes: then it goes.
 * With a "+" before the number it does not go then, but reads no more until its own input ends.
 *
 * Exit status: 1 if that cannot be. */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

static void
fail (const char *what)
{
  fprintf (stderr, "log-peer: %s: %s\n", what, strerror (errno));
  exit (1);
}

static int
connect_to (const struct sockaddr_un *address)
{
  for (int i = 0; i < PATIENCE_MS; i++) {
    const int fd = socket (AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0 && connect (fd, (const struct sockaddr *) address, sizeof *address) == 0)
      return fd;
    close (fd);
    nanosleep (&(struct timespec){ .tv_nsec = 1000000 }, NULL);
  }
  fail (address->sun_path);
  return -1;
}

/* The path is there only when somebody listens at it, so that others can wait for it. */
static int
listen_at (const struct sockaddr_un *address)
{
  const int listener = socket (AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un before = *address;
  strcat (before.sun_path, "~");
  if (listener < 0 || bind (listener, (const struct sockaddr *) &before, sizeof before) != 0
      || listen (listener, 1) != 0 || link (before.sun_path, address->sun_path) != 0
      || unlink (before.sun_path) != 0)
    fail (address->sun_path);
  const int fd = accept (listener, NULL, NULL);
  if (fd < 0)
    fail (address->sun_path);
  return fd;
}

int
main (int argc, char **argv)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  static char bytes[64 * 1024];
  if (argc < 3 || strlen (argv[2]) + 1 >= sizeof address.sun_path)
    return 2;
  strcpy (address.sun_path, argv[2]);
  const int fd = strcmp (argv[1], "listen") == 0 ? listen_at (&address) : connect_to (&address);
  const bool stays = argc > 3 && argv[3][0] == '+';
  size_t left = argc > 3 ? strtoul (argv[3] + stays, NULL, 10) : SIZE_MAX;
  ssize_t n;
  while (left != 0 && (n = read (fd, bytes, left < sizeof bytes ? left : sizeof bytes)) > 0) {
    if (write (STDOUT_FILENO, bytes, (size_t) n) != n)
      fail ("output");
    left -= (size_t) n;
  }
  while (stays && read (STDIN_FILENO, bytes, sizeof bytes) > 0)
    ;
  return 0;
}
