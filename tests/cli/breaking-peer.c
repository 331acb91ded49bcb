/* breaking-peer.c -- gives a log at a socket, for tests, and the connection breaks.
 *
 *   breaking-peer SOCKET LOG BYTES [once]
 *
 * The first client gets this many bytes; the next one gets all; then it ends.  `once`: it ends
 * with the first. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char bytes[1 << 20];

static int
give (int listener, size_t length)
{
  const int fd = accept (listener, NULL, NULL);
  const ssize_t n = fd < 0 ? -1 : write (fd, bytes, length);
  close (fd);
  return n == (ssize_t) length;
}

int
main (int argc, char **argv)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  FILE *file = argc >= 4 ? fopen (argv[2], "rb") : NULL;
  if (file == NULL
      || snprintf (address.sun_path, sizeof address.sun_path, "%s.new", argv[1])
             >= (int) sizeof address.sun_path)
    return 2;
  const size_t length = fread (bytes, 1, sizeof bytes, file), first = strtoul (argv[3], NULL, 10);
  const int fd = socket (AF_UNIX, SOCK_STREAM, 0);
  if (first > length || bind (fd, (struct sockaddr *) &address, sizeof address) != 0
      || listen (fd, 1) != 0
      || rename (address.sun_path, argv[1]) != 0) // clients see one that listens
    return 2;
  if (!give (fd, first) || (argc == 4 && !give (fd, length)))
    return 1;
  return unlink (argv[1]) == 0 ? 0 : 1;
}
