/* stalled-reader.c -- stalled-reader PORT PATH: requests events at 127.0.0.1 and reads none, with
 * as little memory of the system's as there can be, until there is a line on standard input; then
 * prints the events, up to the event after the one that states that some were lost.  Status 1 if
 * there is none.
 */
#include "config.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  const int bytes = 4096, fd = socket (AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address
      = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  char line[256];
  static char piece[1 << 20];
  if (argc != 3 || fd < 0)
    return 2;
  address.sin_port = htons ((uint16_t) atoi (argv[1]));
  setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  if (connect (fd, (struct sockaddr *) &address, sizeof address) != 0)
    return 2;
  dprintf (fd, "GET %s HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n", argv[2], argv[1]);
  if (fgets (line, sizeof line, stdin) == NULL)
    return 2;
  FILE *in = fdopen (fd, "r");
  int was_lost = 0;
  while (fgets (piece, sizeof piece, in) != NULL) {
    fputs (piece, stdout);
    was_lost |= strcmp (piece, "event: lost\n") == 0;
    if (was_lost && strncmp (piece, "id: ", 4) == 0)
      return 0;
  }
  return 1;
}
