/* pack.h -- compresses the bytes of a log. */
#ifndef PROFILER_PACK_H
#define PROFILER_PACK_H

#include "profiler/options/options.h"
#include <stdbool.h>
#include <stddef.h>

/* Whether this build has it. */
bool pack_is_there (enum pack pack);

/* The input that follows the given bytes. */
enum pack_then {
  PACK_MORE,
  PACK_FLUSH, /* all up to here is available from the bytes that were put */
  PACK_END,   /* nothing */
};

/* The most bytes that end flushed ones. */
#define PACK_TAIL_MAX 16

/* Takes compressed bytes; an errno number ends the compression. */
struct pack_to {
  int (*put) (void *data, const void *bytes, size_t length);
  void *data;
};

struct packer;

/* NULL without memory.  Free it with packer_free, which takes NULL, too. */
struct packer *packer_new (enum pack pack);
void packer_free (struct packer *packer);

/* Compresses; returns 0 or an errno number.  From one thread at a time. */
int packer_run (struct packer *packer, const void *bytes, size_t length, enum pack_then then,
                const struct pack_to *to);

/* After PACK_FLUSH, which put bytes: the bytes that, after these, end the stream as PACK_END would.
 * Nothing changes.  Returns how many bytes, at most PACK_TAIL_MAX. */
size_t packer_tail (const struct packer *packer, unsigned char *to);

#endif
