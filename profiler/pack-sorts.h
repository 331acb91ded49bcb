/* pack-sorts.h -- what a sort of compression consists of. */
#ifndef PROFLOG_PACK_SORTS_H
#define PROFLOG_PACK_SORTS_H

#include "profiler/pack.h"

struct pack_sort {
  void *(*begin) (void); /* NULL without memory */
  int (*run) (void *state, const void *bytes, size_t length, enum pack_then then,
              const struct pack_to *to);
  size_t (*tail) (const void *state, unsigned char *to); /* as packer_tail */
  void (*free) (void *state);
};

extern const struct pack_sort pack_gzip;
extern const struct pack_sort pack_zstd; /* where the library was there */

#endif
