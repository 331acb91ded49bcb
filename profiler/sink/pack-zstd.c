/* pack-zstd.c -- Zstandard, by libzstd. */
#include "config.h"

#ifdef HAVE_ZSTD

#include <proflog/content-sum.h>
#include "profiler/sink/pack-private.h"
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Fast: the writer must keep up with all threads of the program. */
enum { LEVEL = 1 };

struct zstd_compressor {
  ZSTD_CCtx *context;
  struct content_sum sum;
  unsigned char packed[64 * 1024];
};

static void
free_zstd (void *state)
{
  struct zstd_compressor *z = state;
  ZSTD_freeCCtx (z->context);
  free (z);
}

static void *
begin_zstd (void)
{
  struct zstd_compressor *z = malloc (sizeof *z);
  if (z == NULL)
    return NULL;
  z->context = ZSTD_createCCtx ();
  content_sum_start (&z->sum);
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
  struct zstd_compressor *z = state;
  ZSTD_inBuffer in = { .src = bytes, .size = length };
  size_t left;
  int error;
  content_sum_add (&z->sum, bytes, length);
  do {
    ZSTD_outBuffer out = { .dst = z->packed, .size = sizeof z->packed };
    left = ZSTD_compressStream2 (z->context, &out, &in, directive[then]);
    if (ZSTD_isError (left))
      return ENOMEM; /* nothing else can go wrong with good parameters */
    error = to->put (to->data, z->packed, out.pos);
  } while (error == 0 && (in.pos < in.size || (then != PACK_MORE && left != 0)));
  return error;
}

/* A last block with nothing in it, and the sum of the frame's content. */
static size_t
tail_of_zstd (const void *state, unsigned char *to)
{
  const struct zstd_compressor *z = state;
  const uint32_t sum = htole32 ((uint32_t) content_sum_get (&z->sum));
  to[0] = 1;
  to[1] = to[2] = 0;
  memcpy (to + 3, &sum, sizeof sum);
  return 3 + sizeof sum;
}

const struct pack_backend pack_zstd = { begin_zstd, run_zstd, tail_of_zstd, free_zstd };

#endif
