/* unpack-backend.h -- what a kind of compression consists of. */
#ifndef PROFLOG_UNPACK_BACKEND_H
#define PROFLOG_UNPACK_BACKEND_H

#include "decoder/input/unpack.h"

struct unpack_format {
  void *(*begin) (void); /* NULL without memory */
  enum unpack_result (*run) (void *state, struct unpack_space *space, const char **why);
  void (*restart) (void *state);
  void (*free) (void *state);
};

extern const struct unpack_format unpack_gzip;
extern const struct unpack_format unpack_zstd; /* where the library was there */

#endif
