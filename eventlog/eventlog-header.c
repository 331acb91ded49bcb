/* eventlog-header.c -- the header of the eventlogs that we write. */
#include "config.h"

#include "eventlog/eventlog-private.h"
#include <proflog/ghc-encode.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE GHC_VARIABLE

static const struct type {
  uint16_t tag, size;
  const char *description;
} types[] = {
#define EVENT(ID, id, tag, size, since, group, role, doc) { tag, size, doc },
#include <proflog/ghc-events.def>
};

enum {
  TYPES = sizeof types / sizeof *types,
  FRAME_BYTES = 6 * 4,                /* what stands around all types */
  TYPE_BYTES = 4 + 2 + 2 + 4 + 4 + 4, /* a type without its description */
};

static uint8_t *
put_type (uint8_t *p, const struct type *type)
{
  const size_t length = strlen (type->description);
  p = ghc_put_number (p, GHC_TYPE_BEGIN, 4);
  p = ghc_put_number (p, type->tag, 2);
  p = ghc_put_number (p, type->size, 2);
  p = ghc_put_number (p, length, 4);
  p = ghc_put_bytes (p, type->description, length);
  p = ghc_put_number (p, 0, 4); /* nothing more is stated of it */
  return ghc_put_number (p, GHC_TYPE_END, 4);
}

uint8_t *
eventlog_make_header (size_t *length)
{
  size_t bound = FRAME_BYTES;
  for (size_t i = 0; i < TYPES; i++)
    bound += TYPE_BYTES + strlen (types[i].description);
  uint8_t *header = malloc (bound), *p = header;
  if (header == NULL)
    return NULL;
  p = ghc_put_number (p, GHC_HEADER_BEGIN, 4);
  p = ghc_put_number (p, GHC_TYPES_BEGIN, 4);
  for (size_t i = 0; i < TYPES; i++)
    p = put_type (p, &types[i]);
  p = ghc_put_number (p, GHC_TYPES_END, 4);
  p = ghc_put_number (p, GHC_HEADER_END, 4);
  p = ghc_put_number (p, GHC_DATA_BEGIN, 4);
  *length = (size_t) (p - header);
  return header;
}
