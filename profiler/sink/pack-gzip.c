/* pack-gzip.c -- gzip, by zlib. */
#include "config.h"

#include "profiler/sink/pack-private.h"
#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

/* A last block with nothing in it, of fixed codes; then what ends a member: zlib's sum of what came
 * in, and how much that was. */
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

const struct pack_backend pack_gzip = { begin_gzip, run_gzip, tail_of_gzip, free_gzip };
