/* ghc-read-events.c -- the steps of the reader of eventlogs among events and blocks. */
#include "decoder/formats/ghc-decode.h"
#include "decoder/formats/ghc-describe.h"
#include "decoder/formats/ghc-reading.h"

/* A block begins with the event that was just read. */
static void
begin_block (struct ghc_reader *r, uint64_t time)
{
  const struct ghc_block_marker *marker = &r->payload.block_marker;
  r->block_end = r->item.offset + marker->block_size;
  r->cap = marker->cap;
  r->earliest = ghc_time_floor (time);
  r->latest = marker->end_time >= time ? ghc_time_ceiling (marker->end_time) : 0;
  r->last = r->before = time;
  r->is_stray = false;
}

/* An event of a block was given: those behind it are hardly earlier. */
static void
pass_time (struct ghc_reader *r, uint64_t offset, uint64_t time)
{
  const bool is_of_block = r->latest == 0 || (time >= r->earliest && time <= r->latest);
  if (offset >= r->block_end ? !r->is_stray : !is_of_block)
    return;
  r->before = r->last;
  r->last = time;
}

/* An event of variable size has a strange one: it counts if something that makes sense follows. */
static enum sense
is_doubtful (const struct ghc_reader *r, const struct ghc_event_type *type, size_t size,
             const struct cursor *rest)
{
  const bool has_more = type->kind != GHC_UNKNOWN && cursor_left (rest) != 0;
  if (type->size != GHC_VARIABLE || (size <= GHC_EVENT_SMALL && !has_more))
    return SENSE_NO;
  const enum sense next = ghc_fits_at (r, size);
  return next == SENSE_NO ? SENSE_YES : next == SENSE_SHORT ? SENSE_SHORT : SENSE_NO;
}

/* Gives the event of `size` bytes; it is there. */
static enum step
give_event (struct ghc_reader *r, const struct ghc_event_type *type, size_t size)
{
  const uint8_t *at = r->window.at;
  const uint64_t offset = r->window.offset;
  const size_t head = GHC_EVENT_HEADER_SIZE + (type->size == GHC_VARIABLE ? GHC_LENGTH_SIZE : 0);
  struct cursor c = cursor_over (at + head, size - head);
  enum ghc_kind kind = type->kind;
  if (kind != GHC_UNKNOWN)
    ghc_decode_payload (kind, type->real_size, &c, &r->payload);
  if (c.error != CURSOR_OK && type->size == GHC_VARIABLE) {
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "the event at offset %" G_GUINT64_FORMAT " (%s, %" G_GSIZE_FORMAT
                      " bytes) ends before its fields do",
                      offset, ghc_describe (kind)->name, size - head);
    ghc_consume (r, size);
    return ghc_give_damage (r);
  }
  if (c.error != CURSOR_OK) /* declared with a size that no writer is known to have */
    kind = GHC_UNKNOWN;
  const enum sense doubtful = is_doubtful (r, type, size, &c);
  if (doubtful == SENSE_SHORT)
    return STEP_SHORT;
  if (doubtful == SENSE_YES) {
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "the event at offset %" G_GUINT64_FORMAT " (type %u, %" G_GSIZE_FORMAT
                      " bytes) is damaged: no event follows it",
                      offset, type->tag, size - head);
    return ghc_search (r);
  }
  ghc_consume (r, size);
  ghc_give (r, GHC_ITEM_EVENT, offset, size);
  r->item.event_type = type;
  r->item.time = ghc_time_at (at);
  r->item.bytes = (struct ghc_text){ (const char *) at + head, size - head };
  r->item.kind = kind;
  if (kind != GHC_UNKNOWN) {
    r->item.payload = &r->payload;
    r->item.extra = cursor_left (&c);
  }
  if (kind == GHC_BLOCK_MARKER)
    begin_block (r, r->item.time);
  else if (r->item.in_block)
    r->item.cap = r->cap;
  if (kind != GHC_BLOCK_MARKER)
    pass_time (r, offset, r->item.time);
  return STEP_ITEM;
}

static enum step
damage_block (struct ghc_reader *r)
{
  ghc_begin_damage (
      r, GHC_DAMAGE_CORRUPT,
      "no block begins at offset %" G_GUINT64_FORMAT " with %u bytes: there may be %d to "
      "%u, with events of its times",
      r->window.offset,
      (unsigned) ghc_number_at (r->window.at + GHC_EVENT_HEADER_SIZE, sizeof (uint32_t)),
      GHC_BLOCK_MARKER_SIZE, GHC_BLOCK_MAX);
  return ghc_search (r);
}

/* The window has a marker.  Where none is expected, it may be anything. */
static enum step
step_marker (struct ghc_reader *r, const struct ghc_event_type *type, size_t size)
{
  const uint64_t block = ghc_number_at (r->window.at + GHC_EVENT_HEADER_SIZE, sizeof (uint32_t));
  const enum sense sense
      = r->window.offset < r->block_end || r->is_stray ? ghc_is_block (r) : SENSE_YES;
  if (sense == SENSE_SHORT)
    return STEP_SHORT;
  if (sense != SENSE_YES || block < GHC_BLOCK_MARKER_SIZE || block > GHC_BLOCK_MAX)
    return damage_block (r);
  return give_event (r, type, size);
}

/* An event of `size` bytes whose time is in no order, or that goes over the end of its block. */
static enum step
damage_event (struct ghc_reader *r, unsigned tag, size_t size, uint64_t time)
{
  const uint64_t end = r->window.offset + size;
  if (tag == 0 && time == 0)
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT ": there are zeros",
                      r->window.offset);
  else if (r->window.offset < r->block_end && end > r->block_end)
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT
                      ": it would end at %" G_GUINT64_FORMAT
                      ", its block ends at %" G_GUINT64_FORMAT,
                      r->window.offset, end, r->block_end);
  else if (time < r->last)
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT
                      ": its time would be %" G_GUINT64_FORMAT
                      " ns, that of the one before it is %" G_GUINT64_FORMAT,
                      r->window.offset, time, r->last);
  else
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT
                      ": its time would be %" G_GUINT64_FORMAT
                      " ns, the last of its block's is %" G_GUINT64_FORMAT,
                      r->window.offset, time, r->latest);
  return ghc_search (r);
}

/* An event goes over the end of a log that is not cut. */
static enum step
damage_long (struct ghc_reader *r, const struct ghc_event_type *type, size_t size)
{
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "no event begins at offset %" G_GUINT64_FORMAT
                    ": of type %u, it would end at %" G_GUINT64_FORMAT
                    ", and the log ends with its end mark at %" G_GUINT64_FORMAT,
                    r->window.offset, type->tag, r->window.offset + size,
                    r->window.offset + ghc_left (r));
  return ghc_search (r);
}

/* An event that zeros follow, of which the first may be its own. */
static enum step
damage_touched (struct ghc_reader *r, const struct ghc_event_type *type)
{
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "the event at offset %" G_GUINT64_FORMAT
                    " (type %u) ends with zeros, and more of them follow: it may be damaged",
                    r->window.offset, type->tag);
  return ghc_search (r);
}

/* The window has tag and time of an event whose tag is declared. */
static enum step
step_event (struct ghc_reader *r, const struct ghc_event_type *type)
{
  if (type->size == GHC_VARIABLE && ghc_left (r) < GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE)
    return STEP_SHORT;
  const uint64_t time = ghc_time_at (r->window.at);
  const size_t size = ghc_size_at (r->window.at, type);
  const bool is_marker = type->kind == GHC_BLOCK_MARKER && size >= GHC_BLOCK_MARKER_SIZE;
  const enum sense sense = is_marker ? SENSE_YES : ghc_is_likely (r, type->tag, time, size);
  if (sense == SENSE_NO)
    return damage_event (r, type->tag, size, time);
  if (sense == SENSE_YES && ghc_left (r) < size && size > GHC_EVENT_SMALL
      && window_is_last (&r->window) && ghc_ends_with_mark (r))
    return damage_long (r, type, size);
  if (sense == SENSE_SHORT || ghc_left (r) < size)
    return STEP_SHORT;
  const enum sense touched = ghc_is_touched (r, size);
  if (touched != SENSE_NO)
    return touched == SENSE_YES ? damage_touched (r, type) : STEP_SHORT;
  return is_marker ? step_marker (r, type, size) : give_event (r, type, size);
}

/* The window begins with an end mark. */
static enum step
step_end_mark (struct ghc_reader *r)
{
  const enum sense sense = ghc_is_end (r);
  if (sense == SENSE_SHORT)
    return STEP_SHORT;
  if (sense == SENSE_NO) {
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "the events end at offset %" G_GUINT64_FORMAT
                      ", but their block at %" G_GUINT64_FORMAT " and more follows",
                      r->window.offset, r->block_end);
    return ghc_search (r);
  }
  ghc_give (r, GHC_ITEM_END, r->window.offset, 2);
  ghc_consume (r, 2);
  r->is_closed = true;
  r->is_stray = false;
  r->block_end = 0;
  r->state = STATE_BEHIND;
  return STEP_ITEM;
}

enum step
ghc_step_events (struct ghc_reader *r)
{
  if (ghc_left (r) < 2)
    return STEP_SHORT;
  const unsigned tag = (unsigned) ghc_number_at (r->window.at, 2);
  if (tag == GHC_DATA_END)
    return step_end_mark (r);
  const enum sense header = tag == GHC_HEADER_BEGIN >> 16 ? ghc_is_header (r, 0) : SENSE_NO;
  if (header == SENSE_SHORT || header == SENSE_CUT)
    return STEP_SHORT;
  if (header == SENSE_YES)
    return ghc_begin_header (r);
  const struct ghc_event_type *type = ghc_types_find (&r->types, tag);
  if (type == NULL) {
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT
                      ": the header does not declare a type %u",
                      r->window.offset, tag);
    return ghc_search (r);
  }
  if (ghc_left (r) < GHC_EVENT_HEADER_SIZE)
    return STEP_SHORT;
  return step_event (r, type);
}

/* ---- between logs ---- */

static enum step
give_stray_marker (struct ghc_reader *r)
{
  static const struct ghc_event_type type = {
    .tag = 18,
    .size = 14,
    .real_size = 14,
    .kind = GHC_BLOCK_MARKER,
    .description = { "Block marker", sizeof "Block marker" - 1 },
  };
  give_event (r, &type, GHC_BLOCK_MARKER_SIZE);
  r->block_end = 0;
  r->is_closed = false;
  return STEP_ITEM;
}

/* Where a header has to begin, if anything does.  Sets *sense if that is clear. */
static enum step
begin_log (struct ghc_reader *r, enum sense *sense)
{
  const enum sense header = ghc_is_header (r, 0);
  enum sense marker = ghc_is_stray_marker (r);
  if (marker == SENSE_CUT && r->has_header && ghc_left (r) >= GHC_BLOCK_MARKER_SIZE)
    marker = SENSE_YES;
  *sense = header != SENSE_NO ? header : marker;
  if (*sense != SENSE_YES)
    return STEP_SHORT;
  return header == SENSE_YES ? ghc_begin_header (r) : give_stray_marker (r);
}

enum step
ghc_step_start (struct ghc_reader *r)
{
  enum sense sense;
  if (ghc_left (r) < GHC_ID_SIZE)
    return STEP_SHORT;
  const enum step step = begin_log (r, &sense);
  const uint8_t *at = r->window.at;
  const bool begins = sense == SENSE_NO && ghc_number_at (at, GHC_ID_SIZE) == GHC_HEADER_BEGIN;
  if (begins && ghc_left (r) < GHC_HEADER_IDS_SIZE)
    return STEP_SHORT;
  if (begins)
    return ghc_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                     "the header of the eventlog is damaged: at offset 4 there is %02x %02x %02x "
                     "%02x instead of 68 65 74 62",
                     at[4], at[5], at[6], at[7]);
  if (sense == SENSE_NO)
    return ghc_fail (
        r, PROFLOG_READ_ERROR_NOT_A_LOG,
        "not a GHC eventlog: it begins with the bytes %02x %02x %02x %02x, an eventlog "
        "with 68 64 72 62",
        at[0], at[1], at[2], at[3]);
  return step;
}

enum step
ghc_step_behind (struct ghc_reader *r)
{
  enum sense sense;
  if (ghc_left (r) == 0)
    return STEP_SHORT;
  const enum step step = begin_log (r, &sense);
  if (sense != SENSE_NO)
    return step;
  ghc_begin_damage (
      r, GHC_DAMAGE_CORRUPT,
      "something that is no eventlog follows the end of the events at offset %" G_GUINT64_FORMAT,
      r->window.offset);
  return ghc_search (r);
}
