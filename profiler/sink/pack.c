/* pack.c -- the compressions of a log: gzip by zlib, Zstandard by libzstd. */
#include "config.h"

#include "profiler/sink/pack.h"
#include <proflog/content-sum.h>
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

struct pack_backend {
  void *(*begin) (void); /* NULL without memory */
  int (*run) (void *state, const void *bytes, size_t length, enum pack_then then,
              const struct pack_to *to);
  size_t (*tail) (const void *state, unsigned char *to); /* as packer_tail */
  void (*free) (void *state);
};

/* ---- Zstandard ---- */

#ifdef HAVE_ZSTD

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

static const struct pack_backend pack_zstd = { begin_zstd, run_zstd, tail_of_zstd, free_zstd };

#endif

/* ---- gzip ---- */

/* zlib: the largest window, and gzip around it */
enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

struct gzip {
  z_stream stream;
  unsigned char packed[64 * 1024];
};

static void *
begin_gzip (void)
{
  struct gzip *g = calloc (1, sizeof *g);
  if (g != NULL
      && deflateInit2 (&g->stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                       Z_DEFAULT_STRATEGY)
             == Z_OK)
    return g;
  free (g);
  return NULL;
}

static int
run_gzip (void *state, const void *bytes, size_t length, enum pack_then then,
          const struct pack_to *to)
{
  static const int flush[]
      = { [PACK_MORE] = Z_NO_FLUSH, [PACK_FLUSH] = Z_SYNC_FLUSH, [PACK_END] = Z_FINISH };
  struct gzip *g = state;
  int error;
  g->stream.next_in = (unsigned char *) bytes;
  g->stream.avail_in = (uInt) length;
  do {
    g->stream.next_out = g->packed;
    g->stream.avail_out = sizeof g->packed;
    deflate (&g->stream, flush[then]);
    error = to->put (to->data, g->packed, sizeof g->packed - g->stream.avail_out);
  } while (g->stream.avail_out == 0 && error == 0);
  return error;
}

/* A last block with nothing in it, of fixed codes; then the end of a member: zlib's sum of the
 * input, and its length. */
static size_t
tail_of_gzip (const void *state, unsigned char *to)
{
  const struct gzip *g = state;
  const uint32_t end[]
      = { htole32 ((uint32_t) g->stream.adler), htole32 ((uint32_t) g->stream.total_in) };
  to[0] = 3;
  to[1] = 0;
  memcpy (to + 2, end, sizeof end);
  return 2 + sizeof end;
}

static void
free_gzip (void *state)
{
  struct gzip *g = state;
  deflateEnd (&g->stream);
  free (g);
}

static const struct pack_backend pack_gzip = { begin_gzip, run_gzip, tail_of_gzip, free_gzip };

/* ---- by the selected compression ---- */

static const struct pack_backend *const backends[] = {
  [PACK_NONE] = NULL,
  [PACK_GZIP] = &pack_gzip,
#ifdef HAVE_ZSTD
  [PACK_ZSTD] = &pack_zstd,
#else
  [PACK_ZSTD] = NULL,
#endif
};

struct packer {
  const struct pack_backend *backend;
  void *state;
};

bool
pack_is_there (enum pack pack)
{
  return pack == PACK_NONE || backends[pack] != NULL;
}

struct packer *
packer_new (enum pack pack)
{
  struct packer *p = malloc (sizeof *p);
  if (p == NULL)
    return NULL;
  p->backend = backends[pack];
  p->state = p->backend->begin ();
  if (p->state != NULL)
    return p;
  free (p);
  return NULL;
}

void
packer_free (struct packer *p)
{
  if (p == NULL)
    return;
  p->backend->free (p->state);
  free (p);
}

int
packer_run (struct packer *p, const void *bytes, size_t length, enum pack_then then,
            const struct pack_to *to)
{
  return p->backend->run (p->state, bytes, length, then, to);
}

size_t
packer_tail (const struct packer *p, unsigned char *to)
{
  return p->backend->tail (p->state, to);
}
