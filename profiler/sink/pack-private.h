/* pack-private.h -- what a backend of compression consists of. */
#ifndef PROFILER_PACK_PRIVATE_H
#define PROFILER_PACK_PRIVATE_H

#include "profiler/sink/pack.h"

struct pack_backend {
  void *(*begin) (void); /* NULL without memory */
  int (*run) (void *state, const void *bytes, size_t length, enum pack_then then,
              const struct pack_to *to);
  size_t (*tail) (const void *state, unsigned char *to); /* as packer_tail */
  void (*free) (void *state);
};

extern const struct pack_backend pack_gzip;
extern const struct pack_backend pack_zstd; /* where the library was there */

#endif
