/* control-peer.c -- for tests: a client that keeps no rules.
 *
 *   control-peer SOCKET            sends its input, ends its side, prints the answer
 *   control-peer SOCKET hang FILE  the same, but ends its side only when the file is there
 *   control-peer SOCKET many N     N connections at a time that send nothing; prints how many
 *                                  of them were closed before 20 s had passed
 *
 * Exit status: 1 if it cannot connect. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PEERS_MAX = 200, PATIENCE_MS = 20000 };

static int
connect_to (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  snprintf (address.sun_path, sizeof address.sun_path, "%s", path);
  const int fd = socket (AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect (fd, (struct sockaddr *) &address, sizeof address) != 0) {
    fprintf (stderr, "control-peer: %s: %s\n", path, strerror (errno));
    exit (1);
  }
  return fd;
}

static void
talk (int fd, const char *file)
{
  const struct timespec moment = { .tv_nsec = 1000000 };
  char bytes[65536];
  size_t n;
  while ((n = fread (bytes, 1, sizeof bytes, stdin)) > 0)
    if (send (fd, bytes, n, MSG_NOSIGNAL) < 0)
      break;
  if (file != NULL) {
    puts ("connected");
    fflush (stdout);
  }
  while (file != NULL && access (file, F_OK) != 0)
    nanosleep (&moment, NULL);
  shutdown (fd, SHUT_WR);
  ssize_t got;
  while ((got = recv (fd, bytes, sizeof bytes, 0)) > 0)
    fwrite (bytes, 1, (size_t) got, stdout);
}

static void
hang (const char *path, int count)
{
  struct pollfd peers[PEERS_MAX];
  int gone = 0;
  if (count > PEERS_MAX)
    count = PEERS_MAX;
  for (int i = 0; i < count; i++)
    peers[i] = (struct pollfd){ .fd = connect_to (path), .events = POLLIN };
  puts ("connected");
  fflush (stdout);
  while (gone < count && poll (peers, (nfds_t) count, PATIENCE_MS) > 0)
    for (int i = 0; i < count; i++)
      if (peers[i].fd >= 0 && peers[i].revents != 0) {
        peers[i].fd = -1;
        gone++;
      }
  printf ("%d\n", gone);
}

int
main (int argc, char **argv)
{
  if (argc == 4 && strcmp (argv[2], "many") == 0)
    hang (argv[1], atoi (argv[3]));
  else if (argc == 4 && strcmp (argv[2], "hang") == 0)
    talk (connect_to (argv[1]), argv[3]);
  else if (argc == 2)
    talk (connect_to (argv[1]), NULL);
  else
    return 2;
  return 0;
}
