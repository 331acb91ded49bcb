/* ghc-span.c -- the events that a reader of eventlogs has at hand, without a copy. */
#include "config.h"

#include "decoder/ghc/ghc-reader-private.h"
#include "decoder/ghc/ghc-span.h"
#include <string.h>

bool
ghc_span_of (const struct ghc_reader *reader, struct ghc_span *span)
{
  const struct input_buffer *w = &reader->input;
  if (reader->state != STATE_EVENTS || w->offset >= reader->block_end || reader->latest == 0
      || ghc_left (reader) == 0)
    return false;
  *span = (struct ghc_span){
    .begin = w->at,
    .at = w->at,
    .end = w->at + MIN (ghc_left (reader), reader->block_end - w->offset),
    .offset = w->offset,
    .cap = reader->cap,
    .earliest = reader->earliest,
    .latest = reader->latest,
    .last = reader->last,
    .before = reader->before,
  };
  return true;
}

void
ghc_span_pass (struct ghc_reader *reader, const struct ghc_span *span)
{
  ghc_consume (reader, (size_t) (span->at - reader->input.at));
  reader->last = span->last;
  reader->before = span->before;
}

void
ghc_span_want (struct ghc_reader *reader, const bool *wanted)
{
  reader->wanted = wanted;
}

static bool
is_plain (const struct ghc_event_type *type)
{
  if (type->kind == GHC_UNKNOWN || type->kind == GHC_BLOCK_MARKER || type->size == GHC_VARIABLE
      || ghc_event_has_sizes (type->tag))
    return false;
  union ghc_payload payload;
  struct ghc_item item;
  const size_t size = GHC_EVENT_HEADER_SIZE + type->real_size;
  uint8_t *zeros = g_malloc0 (size);
  const bool is_known = ghc_event_decode (type, zeros, size, &payload, &item)
                        && item.kind == type->kind && item.extra == 0;
  g_free (zeros);
  return is_known;
}

void
ghc_span_forms (uint32_t forms[GHC_SPAN_TAGS], const struct ghc_header *header,
                const bool others[GHC_KINDS + 1])
{
  memset (forms, 0, GHC_SPAN_TAGS * sizeof *forms);
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    if (type->tag < GHC_SPAN_TAGS && !others[type->kind] && is_plain (type))
      forms[type->tag] = ghc_event_form (type->real_size);
  }
}
