/* ghc-event.h -- one event of an eventlog from its bytes.  Where it ends is known from its head
 * (ghc_event_head).
 */
#ifndef PROFLOG_GHC_EVENT_H
#define PROFLOG_GHC_EVENT_H

#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-types.h"

#include <proflog/ghc-reader.h>

/* Fills in the item of a whole event of a declared type: all but its offset, size, header and
 * block. False if the payload varies in length and ends before its fields do, or if a size in it is
 * none (ghc_event_wrong_size). */
bool ghc_event_decode (const struct ghc_event_type *type, const uint8_t *event, size_t size,
                       union ghc_payload *payload, struct ghc_item *item);

/* Bytes that no program has: a size from here on, or a difference that is as large. */
#define GHC_SIZE_END (UINT64_C (1) << 63)
#define GHC_CHANGE_END (UINT64_C (1) << 62)

/* Have events of this tag room for such sizes?  None of other tags has. */
#define GHC_EVENT_SIZES_TAGS 256
extern const bool ghc_event_sizes[GHC_EVENT_SIZES_TAGS];

static inline bool
ghc_event_has_sizes (unsigned tag)
{
  /* The most frequent tags, of threads, are lower. */
  return tag >= GHC_TAG_HEAP_ALLOCATED && tag < GHC_EVENT_SIZES_TAGS && ghc_event_sizes[tag];
}

/* The first field with such a size; NULL: all are possible. */
const struct ghc_field *ghc_event_wrong_size (enum ghc_kind kind, const union ghc_payload *payload);

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
