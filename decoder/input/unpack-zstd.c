/* unpack-zstd.c -- Zstandard, by libzstd. */
#include "config.h"

#ifdef HAVE_ZSTD

#include "decoder/input/unpack-backend.h"

#include <glib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* A frame that requests a window of more than 2 to the power of this is not read: as much memory
 * would be needed. */
enum { WINDOW_LOG_MAX = 27 };

/* The least that a frame has. */
enum { FIRST_STEP = 5 };

struct zstd_decompressor {
  ZSTD_DCtx *context;
  size_t step; /* bytes up to the end of what comes next: a header, a block, the check sum */
};

static void
restart_zstd (void *state)
{
  struct zstd_decompressor *z = state;
  ZSTD_DCtx_reset (z->context, ZSTD_reset_session_only);
  z->step = FIRST_STEP;
}

static void
free_zstd (void *state)
{
  struct zstd_decompressor *z = state;
  ZSTD_freeDCtx (z->context);
  g_free (z);
}

static void *
begin_zstd (void)
{
  struct zstd_decompressor *z = g_new (struct zstd_decompressor, 1);
  z->context = ZSTD_createDCtx ();
  z->step = FIRST_STEP;
  if (z->context != NULL
      && !ZSTD_isError (ZSTD_DCtx_setParameter (z->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
    return z;
  free_zstd (z);
  return NULL;
}

/* What a call gives that finds damage is lost: so the blocks before it are decoded one by one. */
static enum unpack_result
run_zstd (void *state, struct unpack_space *space, const char **why)
{
  struct zstd_decompressor *z = state;
  size_t result;
  bool moved;
  do {
    ZSTD_inBuffer in = { .src = space->in, .size = MIN (space->in_left, z->step) };
    ZSTD_outBuffer out = { .dst = space->out, .size = space->out_left };
    result = ZSTD_decompressStream (z->context, &out, &in);
    moved = in.pos != 0 || out.pos != 0;
    space->in += in.pos;
    space->in_left -= in.pos;
    space->out += out.pos;
    space->out_left -= out.pos;
    z->step = MAX (result, 1);
  } while (!ZSTD_isError (result) && result != 0 && moved);
  if (result == 0)
    return UNPACK_ENDED;
  if (!ZSTD_isError (result))
    return UNPACK_GOES_ON;
  if (ZSTD_getErrorCode (result) == ZSTD_error_memory_allocation)
    return UNPACK_NO_MEMORY;
  *why = ZSTD_getErrorName (result);
  return UNPACK_CORRUPT;
}

const struct unpack_format unpack_zstd = { begin_zstd, run_zstd, restart_zstd, free_zstd };

#endif
