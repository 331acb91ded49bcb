/* ghc-event.c -- decodes one event of an eventlog. */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-event.h"

bool
ghc_event_decode (const struct ghc_event_type *type, const uint8_t *event, size_t size,
                  union ghc_payload *payload, struct ghc_item *item)
{
  const size_t start = GHC_EVENT_HEADER_SIZE + (type->size == GHC_VARIABLE ? GHC_LENGTH_SIZE : 0);
  struct cursor c = cursor_over (event + start, size - start);
  item->type = GHC_ITEM_EVENT;
  item->event_type = type;
  item->time = ghc_event_time (event);
  item->kind = type->kind;
  item->bytes = (struct ghc_text){ (const char *) c.at, cursor_left (&c) };
  item->payload = NULL;
  item->extra = 0;
  item->damage = NULL;
  if (type->kind == GHC_UNKNOWN)
    return true;
  ghc_decode_payload (type->kind, type->real_size, &c, payload);
  if (c.error != CURSOR_OK) { /* declared with a size that no writer is known to have */
    item->kind = GHC_UNKNOWN;
    return type->size != GHC_VARIABLE;
  }
  item->payload = payload;
  item->extra = cursor_left (&c);
  return true;
}
