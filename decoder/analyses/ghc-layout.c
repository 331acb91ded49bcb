/* ghc-layout.c -- see ghc-layout.h. */
#include "decoder/analyses/ghc-layout.h"
#include "config.h"
#include "decoder/formats/ghc-decode.h"

struct ghc_layout *
ghc_layout_new (const struct ghc_header *header)
{
  struct ghc_layout *layout = g_new0 (struct ghc_layout, 1);
  ghc_types_init (&layout->types);
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    ghc_types_add (&layout->types, type->tag, type->size, type->description, type->more);
    layout->n_tags = MAX (layout->n_tags, type->tag + 1u);
  }
  ghc_types_finish (&layout->types, &layout->header);
  layout->sizes = g_new0 (uint32_t, layout->n_tags);
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &layout->header.types[i];
    if (type->size != GHC_VARIABLE)
      layout->sizes[type->tag] = GHC_EVENT_HEADER_SIZE + type->real_size;
  }
  return layout;
}

void
ghc_layout_free (struct ghc_layout *layout)
{
  if (layout == NULL)
    return;
  ghc_types_clear (&layout->types);
  g_free (layout->sizes);
  g_free (layout);
}

bool
ghc_layout_item (const struct ghc_layout *layout, const uint8_t *event, size_t size,
                 union ghc_payload *payload, struct ghc_item *item)
{
  const struct ghc_event_type *type = ghc_types_find (&layout->types, ghc_be16 (event));
  const size_t head = GHC_EVENT_HEADER_SIZE + (type->size == GHC_VARIABLE ? GHC_LENGTH_SIZE : 0);
  struct cursor c = cursor_over (event + head, size - head);
  item->type = GHC_ITEM_EVENT;
  item->size = size;
  item->header = &layout->header;
  item->event_type = type;
  item->time = ghc_event_time (event);
  item->kind = type->kind;
  item->bytes = (struct ghc_text){ (const char *) event + head, size - head };
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
