/* unpack-gzip.c -- gzip, by zlib. */
#include "config.h"

#include "decoder/input/unpack-backend.h"

#include <glib.h>
#include <zlib.h>

/* zlib: the largest window, and only gzip around it */
enum { WINDOW_BITS = 15 + 16 };

static void *
begin_gzip (void)
{
  z_stream *z = g_new0 (z_stream, 1);
  if (inflateInit2 (z, WINDOW_BITS) == Z_OK)
    return z;
  g_free (z);
  return NULL;
}

static enum unpack_result
run_gzip (void *state, struct unpack_space *space, const char **why)
{
  z_stream *z = state;
  z->next_in = (Bytef *) space->in;
  z->avail_in = (uInt) space->in_left;
  z->next_out = space->out;
  z->avail_out = (uInt) space->out_left;
  const int result = inflate (z, Z_NO_FLUSH);
  *space = (struct unpack_space){ z->next_in, z->avail_in, z->next_out, z->avail_out };
  switch (result) {
  case Z_OK:
  case Z_BUF_ERROR: /* no progress */
    return UNPACK_GOES_ON;
  case Z_STREAM_END:
    return UNPACK_ENDED;
  case Z_MEM_ERROR:
    return UNPACK_NO_MEMORY;
  default:
    *why = z->msg != NULL ? z->msg : "it cannot be inflated";
    return UNPACK_CORRUPT;
  }
}

static void
restart_gzip (void *state)
{
  inflateReset (state);
}

static void
free_gzip (void *state)
{
  inflateEnd (state);
  g_free (state);
}

const struct unpack_format unpack_gzip = { begin_gzip, run_gzip, restart_gzip, free_gzip };
