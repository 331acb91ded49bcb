/* ghc-rewrite.c -- see ghc-rewrite.h. */
#include "decoder/analyses/ghc-rewrite.h"

void
ghc_rewrite_init (struct ghc_rewrite *rw)
{
  *rw = (struct ghc_rewrite){ .writer = ghc_writer_new () };
}

void
ghc_rewrite_clear (struct ghc_rewrite *rw)
{
  ghc_writer_free (rw->writer);
}

static void
end_log (struct ghc_rewrite *rw)
{
  rw->is_pending = false;
  if (rw->completes && rw->is_begun && !rw->is_ended)
    ghc_writer_end (rw->writer, false);
}

static bool
take_header (struct ghc_rewrite *rw, const struct ghc_item *item, GError **error)
{
  end_log (rw);
  if (item->offset + item->size > rw->block_end)
    ghc_writer_end_block (rw->writer); /* else the header is in it */
  rw->is_begun = true;
  rw->is_ended = false;
  rw->block_end = 0;
  return ghc_writer_header (rw->writer, item->header->types, item->header->n_types, error);
}

static bool
put_pending_marker (struct ghc_rewrite *rw, GError **error)
{
  const bool is_pending = rw->is_pending;
  rw->is_pending = false;
  return !is_pending || ghc_writer_event (rw->writer, &rw->marker, error);
}

/* A block begins; one that had events before is written when an event is. */
static bool
take_marker (struct ghc_rewrite *rw, const struct ghc_item *item, const struct ghc_event *event,
             GError **error)
{
  const uint32_t size = item->payload->block_marker.block_size;
  rw->block_end = item->offset + size;
  rw->is_pending = false;
  if (!rw->drops_blocks || size <= item->size)
    return ghc_writer_event (rw->writer, event, error);
  ghc_writer_end_block (rw->writer);
  rw->is_pending = true;
  rw->marker_payload = *event->payload;
  rw->marker = (struct ghc_event){ .tag = event->tag,
                                   .time = event->time,
                                   .payload = &rw->marker_payload };
  return true;
}

static bool
take_event (struct ghc_rewrite *rw, const struct ghc_item *item, GError **error)
{
  struct ghc_event event = ghc_event_of_item (item);
  if (rw->change != NULL && !rw->change (rw->data, item, &event))
    return true;
  if (item->kind == GHC_BLOCK_MARKER)
    return take_marker (rw, item, &event, error);
  if (item->offset >= rw->block_end) {
    rw->is_pending = false;
    ghc_writer_end_block (rw->writer); /* the event is in none */
  }
  return put_pending_marker (rw, error) && ghc_writer_event (rw->writer, &event, error);
}

bool
ghc_rewrite_item (struct ghc_rewrite *rw, const struct ghc_item *item, GError **error)
{
  switch (item->type) {
  case GHC_ITEM_HEADER:
    return take_header (rw, item, error);
  case GHC_ITEM_EVENT:
    return take_event (rw, item, error);
  case GHC_ITEM_END:
    rw->is_pending = false;
    rw->is_ended = true;
    ghc_writer_end (rw->writer, item->offset < rw->block_end);
    return true;
  default:
    return true;
  }
}

void
ghc_rewrite_end (struct ghc_rewrite *rw)
{
  end_log (rw);
  ghc_writer_end_block (rw->writer);
}
