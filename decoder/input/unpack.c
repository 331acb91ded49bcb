/* unpack.c -- detects a compression format, and opens its backend. */
#include "config.h"

#include "decoder/input/unpack-backend.h"

#include <glib.h>
#include <string.h>

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
