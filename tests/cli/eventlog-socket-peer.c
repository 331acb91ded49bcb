/* eventlog-socket-peer.c -- a program with eventlog-socket, as far as its client sees it, for
 * tests.
 *
 *   eventlog-socket-peer SOCKET LOG BYTES >HEARD
 *
 * Sends the log to a client that connects, when this many bytes of commands have come, which it
 * writes down. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  char bytes[4096];
  if (argc != 4 || strlen (argv[1]) >= sizeof address.sun_path)
    return 2;
  strcpy (address.sun_path, argv[1]);
  const int listener = socket (AF_UNIX, SOCK_STREAM, 0);
  FILE *log = fopen (argv[2], "rb");
  if (log == NULL || bind (listener, (struct sockaddr *) &address, sizeof address) != 0
      || listen (listener, 1) != 0)
    return 1;
  const int fd = accept (listener, NULL, NULL);
  for (long left = atol (argv[3]); left > 0;) {
    const ssize_t n = read (fd, bytes, left < 4096 ? (size_t) left : sizeof bytes);
    if (n <= 0)
      return 1;
    fwrite (bytes, 1, (size_t) n, stdout);
    left -= n;
  }
  for (size_t n; (n = fread (bytes, 1, sizeof bytes, log)) > 0;)
    if (send (fd, bytes, n, MSG_NOSIGNAL) != (ssize_t) n)
      return 1;
  fclose (log);
  close (fd);
  unlink (argv[1]);
  return fflush (stdout) == 0 ? 0 : 1;
}
