/* ghc-event.h -- one event of an eventlog from its bytes.  Where it ends is known from its head
 * (ghc_event_head).
 */
#ifndef PROFLOG_GHC_EVENT_H
#define PROFLOG_GHC_EVENT_H

#include "decoder/ghc/ghc-types.h"

#include <proflog/ghc-reader.h>

/* Fills in the item of a whole event of a declared type: all but its offset, size, header and
 * block. False if the payload varies in length and ends before its fields do. */
bool ghc_event_decode (const struct ghc_event_type *type, const uint8_t *event, size_t size,
                       union ghc_payload *payload, struct ghc_item *item);

/* `next` follows an event's last byte, and `left` bytes of it are there.  If that byte is zero, and
 * zeros that are no event follow, then damage may begin in the event already. */
static inline bool
ghc_may_be_zero_fill (const uint8_t *next, size_t left)
{
  static const uint8_t zeros[GHC_EVENT_HEADER_SIZE];
  if (next[-1] != 0)
    return false;
  if (left >= sizeof zeros)
    return (proflog_be16 (next) | ghc_event_time (next)) == 0;
  return memcmp (next, zeros, left) == 0;
}

#endif
