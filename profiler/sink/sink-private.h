/* sink-private.h -- the structure of a sink, and the functions that open each kind of it. */
#ifndef PROFILER_SINK_PRIVATE_H
#define PROFILER_SINK_PRIVATE_H

#include "profiler/sink/sink-file.h"
#include "profiler/sink/sink-name.h"
#include "profiler/sink/sink.h"
#include <limits.h>
#include <sys/stat.h>
#include <sys/types.h>

struct sink {
  int fd;             /* -1: closed, or no reader has connected yet */
  struct stat opened; /* the file of fd */
  int error;          /* the first failure */
  enum pack pack;
  struct packer *packer; /* NULL: plain */
  uint64_t written;
  uint64_t given; /* bytes, before compression */
  /* Bytes that another program removed from the file; an empty range: none. */
  struct sink_range removed;
  /* Of a compressed file at its last flush: bytes before and after compression, and the bytes that
   * would end the compression there. */
  uint64_t whole_given, whole_written;
  unsigned char tail[PACK_TAIL_MAX];
  size_t tail_length;
  bool is_truncated;     /* nothing but its end follows */
  char output[PATH_MAX]; /* the option */
  char name[PATH_MAX];
  char file[PATH_MAX]; /* "": it is no regular file that has a name */
  unsigned number;     /* of a file that others follow; 0: there is this one */
  bool has_reader;
  int listener;          /* the socket that readers connect to, one after the other; else -1 */
  struct stat listening; /* its file */
  pid_t command;         /* 0: none */
};

/* Each sets fd (or listener), name, and other fields of the destination.  False with a message in
 * `why`. */
bool sink_open_file (struct sink *sink, const char *output, char *why, size_t size);
#define SINK(prefix, open, in_child)                                                               \
  bool open (struct sink *sink, const char *rest, char *why, size_t size);
#include "profiler/sink/sinks.def"

/* Waits until a reader of the same user has come.  Returns 0 or an errno number. */
int sink_accept (struct sink *sink);

/* The next reader of the same user; one waits, else it may be -1. */
int sink_accept_waiting (struct sink *sink);

#endif
