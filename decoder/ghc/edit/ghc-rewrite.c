/* ghc-rewrite.c -- writes the items of a reader again, with changed headers and events. */
#include "config.h"

#include "decoder/ghc/edit/ghc-rewrite.h"
#include "decoder/ghc/ghc-losses.h"

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

/* Writes an end mark that was held back, or one that is missing. */
static void
put_end (struct ghc_rewrite *rw)
{
  if (rw->holds_end)
    ghc_writer_end (rw->writer, rw->end_in_block);
  else if (rw->completes && rw->is_begun && !rw->is_ended)
    ghc_writer_end (rw->writer, false);
  rw->holds_end = false;
}

static bool
put_pending_marker (struct ghc_rewrite *rw, GError **error)
{
  const bool is_pending = rw->is_pending;
  rw->is_pending = false;
  return !is_pending || ghc_writer_event (rw->writer, &rw->marker, error);
}

/* There is more of the log: an end mark that was held back ended nothing. */
static bool
go_on (struct ghc_rewrite *rw, GError **error)
{
  if (rw->holds_end)
    rw->holds_end = rw->is_ended = false;
  return put_pending_marker (rw, error);
}

static bool
handle_header (struct ghc_rewrite *rw, const struct ghc_item *item, GError **error)
{
  put_end (rw);
  if (!put_pending_marker (rw, error))
    return false;
  if (item->offset + item->size > rw->block_end)
    ghc_writer_end_block (rw->writer); /* else the header is in it */
  rw->is_begun = true;
  rw->is_ended = false;
  rw->block_end = 0;
  rw->has_blocks = ghc_has_blocks (item->header->types, item->header->n_types);
  rw->has_messages = ghc_has_messages (item->header->types, item->header->n_types);
  return ghc_writer_header (rw->writer, item->header->types, item->header->n_types, error);
}

static bool
handle_end (struct ghc_rewrite *rw, const struct ghc_item *item, GError **error)
{
  if (rw->holds_end && !go_on (rw, error))
    return false;
  const bool in_block = item->in_block && !rw->is_pending;
  rw->is_pending = false;
  rw->is_ended = true;
  rw->holds_end = rw->completes;
  rw->end_in_block = in_block;
  if (!rw->completes)
    ghc_writer_end (rw->writer, in_block);
  return true;
}

/* A block begins.  One that may stay empty, or be there only for a header to follow, is written
 * with its first event. */
static bool
handle_marker (struct ghc_rewrite *rw, const struct ghc_item *item, const struct ghc_event *event,
               GError **error)
{
  const uint32_t size = item->payload->block_marker.block_size;
  if (rw->holds_end && rw->is_pending && !go_on (rw, error))
    return false; /* no header followed the one before */
  rw->block_end = item->offset + size;
  rw->is_pending = (rw->drops_blocks && size > item->size) || rw->holds_end;
  if (!rw->is_pending)
    return ghc_writer_event (rw->writer, event, error);
  if (!rw->holds_end)
    ghc_writer_end_block (rw->writer);
  rw->marker_payload = *event->payload;
  rw->marker = (struct ghc_event){ .tag = event->tag,
                                   .time = event->time,
                                   .payload = &rw->marker_payload };
  return true;
}

static bool
handle_event (struct ghc_rewrite *rw, const struct ghc_item *item, GError **error)
{
  struct ghc_event event = ghc_event_of_item (item);
  if (rw->change != NULL && !rw->change (rw->data, item, &event))
    return true;
  if (item->kind == GHC_BLOCK_MARKER)
    return handle_marker (rw, item, &event, error);
  rw->latest = MAX (rw->latest, event.time);
  const bool is_outside = !item->in_block;
  if (is_outside && rw->drops_blocks)
    rw->is_pending = false;
  if (!go_on (rw, error))
    return false;
  if (is_outside)
    ghc_writer_end_block (rw->writer);
  return ghc_writer_event (rw->writer, &event, error);
}

bool
ghc_rewrite_item (struct ghc_rewrite *rw, const struct ghc_item *item, GError **error)
{
  switch (item->type) {
  case GHC_ITEM_HEADER:
    return handle_header (rw, item, error);
  case GHC_ITEM_EVENT:
    return handle_event (rw, item, error);
  case GHC_ITEM_END:
    return handle_end (rw, item, error);
  default:
    rw->has_hole |= ghc_damage_is_left_out (item);
    return true;
  }
}

/* Before the end mark. */
static bool
put_hole (struct ghc_rewrite *rw, GError **error)
{
  if (!rw->has_hole || !rw->has_messages || (rw->is_ended && !rw->holds_end))
    return true;
  rw->end_in_block = false;
  return ghc_losses_write_damage (rw->writer, rw->latest, error);
}

bool
ghc_rewrite_end (struct ghc_rewrite *rw, GError **error)
{
  /* Before a header a marker needs no declaration, but none follows. */
  rw->is_pending &= rw->has_blocks;
  const bool good = (!rw->holds_end || put_pending_marker (rw, error)) && put_hole (rw, error);
  put_end (rw);
  ghc_writer_end_block (rw->writer);
  return good;
}
