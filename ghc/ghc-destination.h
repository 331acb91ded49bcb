/* ghc-destination.h -- opens the destinations of an eventlog. */
#ifndef PROFLOG_GHC_DESTINATION_H
#define PROFLOG_GHC_DESTINATION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum ghc_destination_kind {
  GHC_DESTINATION_LISTEN,
  GHC_DESTINATION_CONNECT,
  GHC_DESTINATION_FIFO,
  GHC_DESTINATION_FILE, /* or a descriptor, or a command: open from the start, and only once */
};

struct ghc_destination {
  enum ghc_destination_kind kind;
  char path[PATH_MAX];
  int listener;  /* -1: none */
  int fd;        /* of a file, or of a reader that is there; else -1 */
  pid_t command; /* 0: none */
};

/* Opens the first destination of the log.  False with a message. */
bool ghc_destination_open (struct ghc_destination *destination, const char *output, char *why,
                           size_t size);

/* Opens a later one: a regular file must not be there yet, but a reader of a FIFO and a listener at
 * a socket must. */
bool ghc_destination_open_other (struct ghc_destination *destination, const char *output, char *why,
                                 size_t size);

/* The descriptor of a reader: of the FIFO, of the socket to connect to, or of one that waits at the
 * listener.  -1: there is none. */
int ghc_destination_find_reader (struct ghc_destination *destination);

/* Closes the socket at which it listens. */
void ghc_destination_close (struct ghc_destination *destination);

#endif
