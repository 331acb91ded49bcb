/* read-socket.c -- reads from a socket of the Unix domain until its end, for tests.
 *
 *   read-socket PATH >FILE       waits until somebody listens there, half a minute at most
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3000 };

int
main (int argc, char **argv)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const struct timespec moment = { .tv_nsec = 10000000 };
  char bytes[65536];
  ssize_t n;
  if (argc != 2 || strlen (argv[1]) >= sizeof address.sun_path)
    return 2;
  strcpy (address.sun_path, argv[1]);
  const int fd = socket (AF_UNIX, SOCK_STREAM, 0);
  int tries = 0;
  while (connect (fd, (struct sockaddr *) &address, sizeof address) != 0) {
    if (++tries == TRIES) {
      perror (argv[1]);
      return 1;
    }
    nanosleep (&moment, NULL);
  }
  while ((n = read (fd, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0 && write (STDOUT_FILENO, bytes, (size_t) n) != n)
      return 1;
  return n == 0 ? 0 : 1;
}
