/* cursor.h -- reads little-endian, big-endian and LEB128 numbers and strings within bounds.
 *
 * The first error stays: reads after it give 0 and move nothing, so that readers test once per
 * event.  Too few bytes and senseless bytes are distinguished: the first may be cured by more
 * input.
 */
#ifndef PROFLOG_CURSOR_H
#define PROFLOG_CURSOR_H

#include "decoder/core/cursor-batch.h"
#include "decoder/core/cursor-bytes.h"
#include "decoder/core/cursor-leb128.h"

/* Text closed by a NUL, which is not counted in *length.  NULL after an error. */
static inline const char *
cursor_strz (struct cursor *c, size_t *length)
{
  const uint8_t *nul = cursor_left (c) != 0 ? memchr (c->at, 0, cursor_left (c)) : NULL;
  *length = 0;
  if (nul == NULL) {
    cursor_fail (c, CURSOR_SHORT);
    return NULL;
  }
  const char *text = (const char *) c->at;
  *length = (size_t) (nul - c->at);
  c->at = nul + 1;
  return text;
}

/* A count of things of at least `bytes` bytes each: more of them than can follow is too short. */
CURSOR_INLINE size_t
cursor_count_of (struct cursor *c, size_t bytes)
{
  const uint64_t count = cursor_uleb (c);
  if (count > cursor_left (c) / bytes) {
    cursor_fail (c, CURSOR_SHORT);
    return 0;
  }
  return (size_t) count;
}

CURSOR_INLINE size_t
cursor_count (struct cursor *c)
{
  return cursor_count_of (c, 1);
}

#endif
