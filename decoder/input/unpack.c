/* unpack.c -- detects the format of compressed bytes, and inflates them: gzip by zlib, Zstandard by
 * libzstd.
 */
#include "config.h"

#include "decoder/input/unpack.h"
#include <glib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/* The functions of a kind of compression. */
struct unpack_format {
  void *(*begin) (void); /* NULL without memory */
  enum unpack_result (*run) (void *state, struct unpack_space *space, const char **why);
  void (*restart) (void *state);
  void (*free) (void *state);
};

/* ---- gzip ---- */

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

static const struct unpack_format unpack_gzip = { begin_gzip, run_gzip, restart_gzip, free_gzip };

/* ---- Zstandard ---- */

#ifdef HAVE_ZSTD

/* A frame that requests a window of more than 2 to the power of this is not read: as much memory
 * would be needed. */
enum { WINDOW_LOG_MAX = 27 };

/* The least that a frame has. */
enum { FIRST_STEP = 5 };

struct zstd_decompressor {
  ZSTD_DCtx *context;
  size_t step; /* bytes up to the end of the next part: a header, a block, the check sum */
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

/* The output of a call that finds damage is lost: so the blocks before it are decoded one by
 * one. */
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

static const struct unpack_format unpack_zstd = { begin_zstd, run_zstd, restart_zstd, free_zstd };

#endif

/* ---- both ---- */

static const struct unpack_format *const formats[UNPACK_KINDS] = {
  [UNPACK_GZIP] = &unpack_gzip,
#ifdef HAVE_ZSTD
  [UNPACK_ZSTD] = &unpack_zstd,
#endif
};

static uint64_t max_ratio = UNPACK_MAX_RATIO;

struct unpacker {
  const struct unpack_format *format;
  void *state;
  uint64_t consumed; /* bytes, of all that it unpacked */
  uint64_t inflated;
  char *message; /* NULL: not above the limit */
};

enum unpack_kind
unpack_kind_of (const uint8_t *bytes, size_t length)
{
  static const uint8_t gzip[] = { 0x1f, 0x8b };
  static const uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd };
  static const uint8_t skipped[] = { 0x2a, 0x4d, 0x18 }; /* after 50 to 5f: no data of ours */
  if (length >= sizeof gzip && memcmp (bytes, gzip, sizeof gzip) == 0)
    return UNPACK_GZIP;
  if (length >= UNPACK_ID_SIZE
      && (memcmp (bytes, frame, sizeof frame) == 0
          || ((bytes[0] & 0xf0) == 0x50 && memcmp (bytes + 1, skipped, sizeof skipped) == 0)))
    return UNPACK_ZSTD;
  return UNPACK_NONE;
}

bool
unpack_is_there (enum unpack_kind kind)
{
  return formats[kind] != NULL;
}

struct unpacker *
unpacker_new (enum unpack_kind kind)
{
  void *state = formats[kind]->begin ();
  if (state == NULL)
    return NULL;
  struct unpacker *unpacker = g_new (struct unpacker, 1);
  *unpacker = (struct unpacker){ .format = formats[kind], .state = state };
  return unpacker;
}

void
unpacker_free (struct unpacker *unpacker)
{
  if (unpacker == NULL)
    return;
  unpacker->format->free (unpacker->state);
  g_free (unpacker->message);
  g_free (unpacker);
}

void
unpack_set_max_ratio (uint64_t ratio)
{
  max_ratio = ratio;
}

uint64_t
unpack_limit (uint64_t bytes)
{
  uint64_t limit;
  if (max_ratio == 0)
    return 0;
  return __builtin_mul_overflow (bytes, max_ratio, &limit) ? UINT64_MAX
                                                           : MAX (limit, UNPACK_FREE_BYTES);
}

static bool
is_too_large (const struct unpacker *unpacker)
{
  const uint64_t limit = unpack_limit (unpacker->consumed);
  return limit != 0 && unpacker->inflated > limit;
}

static void
refuse_ratio (struct unpacker *unpacker)
{
  g_free (unpacker->message);
  unpacker->message
      = g_strdup_printf ("%" G_GUINT64_FORMAT " bytes of it are inflated to %" G_GUINT64_FORMAT
                         ", more than %" G_GUINT64_FORMAT
                         " times as many; --max-ratio N sets another limit, --max-ratio 0 none",
                         unpacker->consumed, unpacker->inflated, max_ratio);
}

enum unpack_result
unpacker_run (struct unpacker *unpacker, struct unpack_space *space, const char **why)
{
  const struct unpack_space before = *space;
  const enum unpack_result result = unpacker->format->run (unpacker->state, space, why);
  unpacker->consumed += before.in_left - space->in_left;
  unpacker->inflated += before.out_left - space->out_left;
  if (result == UNPACK_CORRUPT || result == UNPACK_NO_MEMORY || !is_too_large (unpacker))
    return result;
  refuse_ratio (unpacker);
  *why = unpacker->message;
  return UNPACK_TOO_LARGE;
}

void
unpacker_restart (struct unpacker *unpacker)
{
  unpacker->format->restart (unpacker->state);
}
