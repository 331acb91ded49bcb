/* ghc-event.c -- decodes one event of an eventlog. */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-event.h"

const bool ghc_event_sizes[GHC_EVENT_SIZES_TAGS] = {
#define EVENT(ID, id, tag, declared, since, group, role, doc) [tag] = false
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  || (GHC_WIRE_##wire == GHC_WIRE_U64                                                              \
      && (GHC_UNIT_##unit == GHC_UNIT_BYTES || GHC_UNIT_##unit == GHC_UNIT_CHANGE))
#define END_EVENT(id) ,
#include <proflog/ghc-events.def>
};

static bool
is_wrong_size (const struct ghc_field *field, uint64_t value)
{
  return field->wire == GHC_WIRE_U64
         && ((field->unit == GHC_UNIT_BYTES && value >= GHC_SIZE_END)
             || (field->unit == GHC_UNIT_CHANGE && value >= GHC_CHANGE_END
                 && 0 - value >= GHC_CHANGE_END));
}

const struct ghc_field *
ghc_event_wrong_size (enum ghc_kind kind, const union ghc_payload *payload)
{
  const struct ghc_description *description = kind != GHC_UNKNOWN ? ghc_describe (kind) : NULL;
  if (description == NULL || !ghc_event_has_sizes (description->tag))
    return NULL;
  const uint32_t present = payload->create_thread.present; /* all payloads begin with it */
  for (size_t i = 0; i < description->n_fields; i++) {
    const struct ghc_field *field = &description->fields[i];
    const char *value = (const char *) payload + field->offset;
    if ((present >> i & 1) != 0 && field->wire == GHC_WIRE_U64
        && is_wrong_size (field, *(const uint64_t *) (const void *) value))
      return field;
  }
  return NULL;
}

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
  return !ghc_event_has_sizes (type->tag) || ghc_event_wrong_size (type->kind, payload) == NULL;
}
