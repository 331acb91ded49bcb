/* decompress.c -- detects a compression format, and opens its backend. */
#include "config.h"

#include "decoder/input/decompress-backend.h"

#include <glib.h>
#include <string.h>

static const struct unpack_format *const formats[UNPACK_KINDS] = {
  [UNPACK_GZIP] = &unpack_gzip,
#ifdef HAVE_ZSTD
  [UNPACK_ZSTD] = &unpack_zstd,
#endif
};

struct unpacker {
  const struct unpack_format *format;
  void *state;
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
  *unpacker = (struct unpacker){ formats[kind], state };
  return unpacker;
}

void
unpacker_free (struct unpacker *unpacker)
{
  if (unpacker == NULL)
    return;
  unpacker->format->free (unpacker->state);
  g_free (unpacker);
}

enum unpack_result
unpacker_run (struct unpacker *unpacker, struct unpack_space *space, const char **why)
{
  return unpacker->format->run (unpacker->state, space, why);
}

void
unpacker_restart (struct unpacker *unpacker)
{
  unpacker->format->restart (unpacker->state);
}
