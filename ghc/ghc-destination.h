/* ghc-destination.h -- opens what an eventlog goes to. */
#ifndef PROFLOG_GHC_DESTINATION_H
#define PROFLOG_GHC_DESTINATION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum ghc_destination_kind {
  GHC_DESTINATION_LISTEN,
  GHC_DESTINATION_CONNECT,
  GHC_DESTINATION_FIFO,
  GHC_DESTINATION_FILE, /* or a descriptor: it is open from the start, and does not come again */
};

struct ghc_destination {
  enum ghc_destination_kind kind;
  char path[PATH_MAX];
  int listener; /* -1: none */
  int fd;       /* of a file; else -1 */
};

/* False with a message. */
bool ghc_destination_open (struct ghc_destination *destination, const char *output, char *why,
                           size_t size);

/* A reader of a FIFO, of a socket that we connect to, or that waits at ours.  -1: there is none. */
int ghc_destination_find_reader (struct ghc_destination *destination);

void ghc_destination_close (struct ghc_destination *destination);

#endif
