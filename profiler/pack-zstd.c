/* pack-zstd.c -- Zstandard, by libzstd. */
#include "profiler/pack-sorts.h"
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

/* Fast: the writer must keep up with all threads of the program. */
enum { LEVEL = 1 };

struct zstd {
  ZSTD_CCtx *context;
  unsigned char packed[64 * 1024];
};

static void
free_zstd (void *state)
{
  struct zstd *z = state;
  ZSTD_freeCCtx (z->context);
  free (z);
}

static void *
begin_zstd (void)
{
  struct zstd *z = malloc (sizeof *z);
  if (z == NULL)
    return NULL;
  z->context = ZSTD_createCCtx ();
  if (z->context != NULL
      && !ZSTD_isError (ZSTD_CCtx_setParameter (z->context, ZSTD_c_compressionLevel, LEVEL))
      && !ZSTD_isError (ZSTD_CCtx_setParameter (z->context, ZSTD_c_checksumFlag, 1)))
    return z;
  free_zstd (z);
  return NULL;
}

static int
run_zstd (void *state, const void *bytes, size_t length, enum pack_then then,
          const struct pack_to *to)
{
  static const ZSTD_EndDirective directive[]
      = { [PACK_MORE] = ZSTD_e_continue, [PACK_FLUSH] = ZSTD_e_flush, [PACK_END] = ZSTD_e_end };
  struct zstd *z = state;
  ZSTD_inBuffer in = { .src = bytes, .size = length };
  size_t left;
  int error;
  do {
    ZSTD_outBuffer out = { .dst = z->packed, .size = sizeof z->packed };
    left = ZSTD_compressStream2 (z->context, &out, &in, directive[then]);
    if (ZSTD_isError (left))
      return ENOMEM; /* nothing else can go wrong with good parameters */
    error = to->put (to->data, z->packed, out.pos);
  } while (error == 0 && (in.pos < in.size || (then != PACK_MORE && left != 0)));
  return error;
}

const struct pack_sort pack_zstd = { begin_zstd, run_zstd, free_zstd };
