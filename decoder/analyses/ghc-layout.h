/* ghc-layout.h -- what a header of an eventlog tells of the bytes of its events, kept for as long
 * as it is wanted, and a quick walk over events that a reader would give.
 */
#ifndef PROFLOG_GHC_LAYOUT_H
#define PROFLOG_GHC_LAYOUT_H

#include "decoder/formats/ghc-types.h"

#include <proflog/ghc-reader.h>
#include <string.h>

struct ghc_layout {
  struct ghc_types types;
  struct ghc_header header; /* of the types */
  unsigned n_tags;          /* tags from here on are not declared */
  uint32_t *sizes;          /* by tag: of the whole event; 0: variable, or not declared */
};

/* A copy of what a header tells.  Free it with ghc_layout_free. */
struct ghc_layout *ghc_layout_new (const struct ghc_header *header);
void ghc_layout_free (struct ghc_layout *layout);

/* Big-endian numbers. */
static inline unsigned
ghc_be16 (const uint8_t *at)
{
  uint16_t number;
  memcpy (&number, at, sizeof number);
  return GUINT16_FROM_BE (number);
}

static inline uint32_t
ghc_be32 (const uint8_t *at)
{
  uint32_t number;
  memcpy (&number, at, sizeof number);
  return GUINT32_FROM_BE (number);
}

static inline uint64_t
ghc_be64 (const uint8_t *at)
{
  uint64_t number;
  memcpy (&number, at, sizeof number);
  return GUINT64_FROM_BE (number);
}

static inline uint64_t
ghc_event_time (const uint8_t *event)
{
  return ghc_be64 (event + sizeof (uint16_t));
}

/* Bytes of the event that begins here, of which GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE are there
 * to be read; 0: its tag is not declared. */
static inline size_t
ghc_layout_size (const struct ghc_layout *layout, const uint8_t *event)
{
  const unsigned tag = ghc_be16 (event);
  if (tag < layout->n_tags && layout->sizes[tag] != 0)
    return layout->sizes[tag];
  if (ghc_types_find (&layout->types, tag) == NULL)
    return 0;
  return GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE + ghc_be16 (event + GHC_EVENT_HEADER_SIZE);
}

/* Fills in an item for the event that begins here, which is one of the layout: all but its offset
 * and capability.  False if it ends before its fields do. */
bool ghc_layout_item (const struct ghc_layout *layout, const uint8_t *event, size_t size,
                      union ghc_payload *payload, struct ghc_item *item);

#endif
