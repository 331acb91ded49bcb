/* ghc-read-events.c -- the steps of the reader of eventlogs among events and blocks. */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-reader-private.h"

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

/* An event of a block was given: those after it are hardly earlier. */
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
static enum plausibility
is_doubtful (const struct ghc_reader *r, size_t size)
{
  if (r->item.event_type->size != GHC_VARIABLE || (size <= GHC_EVENT_SMALL && r->item.extra == 0))
    return PLAUSIBLE_NO;
  const enum plausibility next = ghc_plausible_at (r, size);
  return next == PLAUSIBLE_NO          ? PLAUSIBLE_YES
         : next == PLAUSIBLE_NEED_MORE ? PLAUSIBLE_NEED_MORE
                                       : PLAUSIBLE_NO;
}

static enum step
damage_fields (struct ghc_reader *r, struct ghc_event_head head)
{
  const enum ghc_kind kind = r->item.event_type->kind;
  const struct ghc_field *wrong
      = r->item.payload != NULL ? ghc_event_wrong_size (kind, &r->payload) : NULL;
  if (wrong != NULL)
    ghc_begin_damage (
        r, GHC_DAMAGE_CORRUPT,
        "the event at offset %" G_GUINT64_FORMAT
        " (%s) is damaged: '%s' is no number of bytes: %" G_GUINT64_FORMAT,
        r->input.offset, ghc_describe (kind)->name, wrong->name,
        *(const uint64_t *) (const void *) ((const char *) &r->payload + wrong->offset));
  else
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "the event at offset %" G_GUINT64_FORMAT " (%s, %" G_GSIZE_FORMAT
                      " bytes) ends before its fields do",
                      r->input.offset, ghc_describe (kind)->name, r->item.bytes.length);
  ghc_consume (r, head.size);
  return ghc_emit_damage (r);
}

/* The bytes here are no event: searches for one. */
static enum step
ghc_begin_resync (struct ghc_reader *r)
{
  ghc_consume (r, 1);
  r->state = STATE_RESYNC;
  return STEP_CONTINUE;
}

static enum step
damage_doubtful (struct ghc_reader *r)
{
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "the event at offset %" G_GUINT64_FORMAT " (type %u, %" G_GSIZE_FORMAT
                    " bytes) is damaged: no event follows it",
                    r->input.offset, r->item.event_type->tag, r->item.bytes.length);
  return ghc_begin_resync (r);
}

/* Is this time, of an event whose bytes make sense, days beyond those of its block? */
static bool
is_far (const struct ghc_reader *r, uint64_t time)
{
  const uint64_t latest = MAX (r->latest, r->last);
  return r->input.offset < r->block_end && r->latest != 0 && time > latest
         && time - latest > GHC_TIME_FAR_NS;
}

static enum step
damage_far (struct ghc_reader *r, struct ghc_event_head head)
{
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "the event at offset %" G_GUINT64_FORMAT " (type %u) is damaged: its time is"
                    " %" G_GUINT64_FORMAT " ns, the last of its block's is %" G_GUINT64_FORMAT,
                    r->input.offset, head.tag, head.time, r->latest);
  ghc_consume (r, head.size);
  return ghc_emit_damage (r);
}

/* Gives the event, which is there as a whole. */
static enum step
emit_event (struct ghc_reader *r, const struct ghc_event_type *type, struct ghc_event_head head)
{
  struct ghc_item *item = &r->item;
  if (!ghc_event_decode (type, r->input.at, head.size, &r->payload, item))
    return damage_fields (r, head);
  const enum plausibility doubtful = is_doubtful (r, head.size);
  if (doubtful != PLAUSIBLE_NO)
    return doubtful == PLAUSIBLE_NEED_MORE ? STEP_NEED_MORE : damage_doubtful (r);
  if (item->kind != GHC_BLOCK_MARKER && is_far (r, item->time))
    return damage_far (r, head);
  item->offset = r->input.offset;
  item->size = head.size;
  item->header = r->has_header ? &r->types.header : NULL;
  item->in_block = item->offset < r->block_end;
  item->cap = GHC_NO_CAP;
  ghc_consume (r, head.size);
  if (item->kind == GHC_BLOCK_MARKER) {
    begin_block (r, item->time);
    return STEP_ITEM;
  }
  if (item->in_block)
    item->cap = r->cap;
  pass_time (r, item->offset, item->time);
  return STEP_ITEM;
}

/* Is there a whole event of a fixed size, in order of time, which belongs to the block, of which
 * `left` bytes are there? */
static bool
is_plain_event (const struct ghc_reader *r, size_t left, struct ghc_event_head *head)
{
  return left >= GHC_EVENT_HEADER_SIZE && ghc_head_at (r, 0, head) == GHC_HEAD_READ
         && head->size <= left && head->start == GHC_EVENT_HEADER_SIZE
         && head->tag != GHC_TAG_BLOCK_MARKER && head->tag != GHC_HEADER_BEGIN >> 16
         && head->time >= r->earliest && head->time <= r->latest
         && head->time >= ghc_time_floor (r->last) && (head->tag | head->time) != 0
         && !ghc_may_be_zero_fill (r->input.at + head->size, left - head->size);
}

bool
ghc_take_event (struct ghc_reader *r)
{
  struct ghc_event_head head;
  if (r->state != STATE_EVENTS || r->input.offset >= r->block_end || r->latest == 0)
    return false;
  while (is_plain_event (r, MIN (ghc_left (r), r->block_end - r->input.offset), &head)) {
    const struct ghc_event_type *type = ghc_types_find (&r->types, head.tag);
    const bool is_wanted
        = r->wanted == NULL || r->wanted[type->kind] || ghc_event_has_sizes (head.tag);
    if (is_wanted && !ghc_event_decode (type, r->input.at, head.size, &r->payload, &r->item))
      return false;
    r->item.offset = r->input.offset;
    r->item.size = head.size;
    r->item.header = r->has_header ? &r->types.header : NULL;
    r->item.in_block = true;
    r->item.cap = r->cap;
    ghc_consume (r, head.size);
    r->before = r->last;
    r->last = head.time;
    if (is_wanted)
      return true;
  }
  return false;
}

static enum step
damage_block (struct ghc_reader *r)
{
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "no block begins at offset %" G_GUINT64_FORMAT
                    " with %u bytes: there may be %d to %u, with events of its times",
                    r->input.offset, (unsigned) proflog_be32 (r->input.at + GHC_EVENT_HEADER_SIZE),
                    GHC_BLOCK_MARKER_SIZE, GHC_BLOCK_MAX);
  return ghc_begin_resync (r);
}

/* The window has a marker.  Where none is expected, it may be anything. */
static enum step
step_marker (struct ghc_reader *r, const struct ghc_event_type *type, struct ghc_event_head head)
{
  const uint64_t block = proflog_be32 (r->input.at + GHC_EVENT_HEADER_SIZE);
  const enum plausibility plausible
      = r->input.offset < r->block_end || r->is_stray ? ghc_is_block (r) : PLAUSIBLE_YES;
  if (plausible == PLAUSIBLE_NEED_MORE)
    return STEP_NEED_MORE;
  if (plausible != PLAUSIBLE_YES || block < GHC_BLOCK_MARKER_SIZE || block > GHC_BLOCK_MAX)
    return damage_block (r);
  return emit_event (r, type, head);
}

/* An event whose time is in no order, or that goes over the end of its block. */
static enum step
damage_event (struct ghc_reader *r, struct ghc_event_head head)
{
  const uint64_t time = head.time, end = r->input.offset + head.size;
  if (head.tag == 0 && time == 0)
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT ": there are zeros",
                      r->input.offset);
  else if (r->input.offset < r->block_end && end > r->block_end)
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT
                      ": it would end at %" G_GUINT64_FORMAT
                      ", its block ends at %" G_GUINT64_FORMAT,
                      r->input.offset, end, r->block_end);
  else if (time < r->last)
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT
                      ": its time would be %" G_GUINT64_FORMAT
                      " ns, that of the one before it is %" G_GUINT64_FORMAT,
                      r->input.offset, time, r->last);
  else
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "no event begins at offset %" G_GUINT64_FORMAT
                      ": its time would be %" G_GUINT64_FORMAT
                      " ns, the last of its block's is %" G_GUINT64_FORMAT,
                      r->input.offset, time, r->latest);
  return ghc_begin_resync (r);
}

/* An event goes over the end of a log that is not cut. */
static enum step
damage_long (struct ghc_reader *r, const struct ghc_event_type *type, size_t size)
{
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "no event begins at offset %" G_GUINT64_FORMAT
                    ": of type %u, it would end at %" G_GUINT64_FORMAT
                    ", and the log ends with its end mark at %" G_GUINT64_FORMAT,
                    r->input.offset, type->tag, r->input.offset + size,
                    r->input.offset + ghc_left (r));
  return ghc_begin_resync (r);
}

/* An event that zeros follow, of which the first may be its own. */
static enum step
damage_zero_fill (struct ghc_reader *r, const struct ghc_event_type *type)
{
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "the event at offset %" G_GUINT64_FORMAT
                    " (type %u) ends with zeros, and more of them follow: it may be damaged",
                    r->input.offset, type->tag);
  return ghc_begin_resync (r);
}

/* Does the event of `size` bytes that begins here end with a zero, and zeros that are no event
 * follow?  Nobody knows then whether they begin in it. */
static enum plausibility
ghc_zero_fill_plausible (const struct ghc_reader *r, size_t size)
{
  const size_t left = ghc_left (r) - size;
  if (!ghc_may_be_zero_fill (r->input.at + size, left))
    return PLAUSIBLE_NO;
  if (left >= GHC_EVENT_HEADER_SIZE)
    return PLAUSIBLE_YES;
  return input_buffer_is_last (&r->input) ? PLAUSIBLE_NO : PLAUSIBLE_NEED_MORE;
}

/* The window has the head of an event of a type that is declared. */
static enum step
step_event (struct ghc_reader *r, const struct ghc_event_type *type, struct ghc_event_head head)
{
  const size_t size = head.size;
  const bool is_marker = type->kind == GHC_BLOCK_MARKER && size >= GHC_BLOCK_MARKER_SIZE;
  const enum plausibility plausible = is_marker ? PLAUSIBLE_YES : ghc_event_plausible (r, head);
  if (plausible == PLAUSIBLE_NO)
    return damage_event (r, head);
  if (plausible == PLAUSIBLE_YES && ghc_left (r) < size && size > GHC_EVENT_SMALL
      && input_buffer_is_last (&r->input) && ghc_ends_with_mark (r))
    return damage_long (r, type, size);
  if (plausible == PLAUSIBLE_NEED_MORE || ghc_left (r) < size)
    return STEP_NEED_MORE;
  const enum plausibility zero_fill = ghc_zero_fill_plausible (r, size);
  if (zero_fill != PLAUSIBLE_NO)
    return zero_fill == PLAUSIBLE_YES ? damage_zero_fill (r, type) : STEP_NEED_MORE;
  return is_marker ? step_marker (r, type, head) : emit_event (r, type, head);
}

/* The window begins with an end mark. */
static enum step
step_end_mark (struct ghc_reader *r)
{
  const enum plausibility plausible = ghc_is_end (r);
  if (plausible == PLAUSIBLE_NEED_MORE)
    return STEP_NEED_MORE;
  if (plausible == PLAUSIBLE_NO) {
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "the events end at offset %" G_GUINT64_FORMAT
                      ", but their block at %" G_GUINT64_FORMAT " and more follows",
                      r->input.offset, r->block_end);
    return ghc_begin_resync (r);
  }
  ghc_emit (r, GHC_ITEM_END, r->input.offset, 2);
  ghc_consume (r, 2);
  r->is_closed = true;
  r->is_stray = false;
  r->block_end = 0;
  r->state = STATE_AFTER_END;
  return STEP_ITEM;
}

enum step
ghc_step_events (struct ghc_reader *r)
{
  struct ghc_event_head head;
  if (ghc_left (r) < 2)
    return STEP_NEED_MORE;
  const enum ghc_head read = ghc_head_at (r, 0, &head);
  if (head.tag == GHC_DATA_END)
    return step_end_mark (r);
  const enum plausibility header
      = head.tag == GHC_HEADER_BEGIN >> 16 ? ghc_is_header (r, 0) : PLAUSIBLE_NO;
  if (header == PLAUSIBLE_NEED_MORE || header == PLAUSIBLE_CUT)
    return STEP_NEED_MORE;
  if (header == PLAUSIBLE_YES)
    return ghc_begin_header (r);
  if (read == GHC_HEAD_READ)
    return step_event (r, ghc_types_find (&r->types, head.tag), head);
  if (read != GHC_HEAD_UNDECLARED)
    return STEP_NEED_MORE;
  ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                    "no event begins at offset %" G_GUINT64_FORMAT
                    ": the header does not declare a type %u",
                    r->input.offset, head.tag);
  return ghc_begin_resync (r);
}

/* ---- between logs ---- */

static enum step
emit_stray_marker (struct ghc_reader *r)
{
  static const struct ghc_event_type type = {
    .tag = GHC_TAG_BLOCK_MARKER,
    .size = GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE,
    .real_size = GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE,
    .kind = GHC_BLOCK_MARKER,
    .description = { "Block marker", sizeof "Block marker" - 1 },
  };
  struct ghc_event_head head = { .tag = type.tag };
  ghc_read_head (r->input.at, ghc_left (r), ghc_event_form (type.real_size), &head);
  emit_event (r, &type, head);
  r->block_end = 0;
  r->is_closed = false;
  return STEP_ITEM;
}

/* Where a header has to begin, if anything does.  Sets *plausible if that is clear. */
static enum step
begin_log (struct ghc_reader *r, enum plausibility *plausible)
{
  const enum plausibility header = ghc_is_header (r, 0);
  enum plausibility marker = ghc_is_stray_marker (r);
  if (marker == PLAUSIBLE_CUT && r->has_header && ghc_left (r) >= GHC_BLOCK_MARKER_SIZE)
    marker = PLAUSIBLE_YES;
  *plausible = header != PLAUSIBLE_NO ? header : marker;
  if (*plausible != PLAUSIBLE_YES)
    return STEP_NEED_MORE;
  return header == PLAUSIBLE_YES ? ghc_begin_header (r) : emit_stray_marker (r);
}

enum step
ghc_step_start (struct ghc_reader *r)
{
  enum plausibility plausible;
  if (ghc_left (r) < GHC_ID_SIZE)
    return STEP_NEED_MORE;
  const enum step step = begin_log (r, &plausible);
  const uint8_t *at = r->input.at;
  const bool begins = plausible == PLAUSIBLE_NO && proflog_be32 (at) == GHC_HEADER_BEGIN;
  if (begins && ghc_left (r) < GHC_HEADER_IDS_SIZE)
    return STEP_NEED_MORE;
  if (begins)
    return ghc_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                     "the header of the eventlog is damaged: at offset 4 there is %02x %02x %02x "
                     "%02x instead of 68 65 74 62",
                     at[4], at[5], at[6], at[7]);
  if (plausible == PLAUSIBLE_NO)
    return ghc_fail (
        r, PROFLOG_READ_ERROR_NOT_A_LOG,
        "not a GHC eventlog: it begins with the bytes %02x %02x %02x %02x, an eventlog "
        "with 68 64 72 62",
        at[0], at[1], at[2], at[3]);
  return step;
}

enum step
ghc_step_after_end (struct ghc_reader *r)
{
  enum plausibility plausible;
  if (ghc_left (r) == 0)
    return STEP_NEED_MORE;
  const enum step step = begin_log (r, &plausible);
  if (plausible != PLAUSIBLE_NO)
    return step;
  ghc_begin_damage (
      r, GHC_DAMAGE_CORRUPT,
      "something that is no eventlog follows the end of the events at offset %" G_GUINT64_FORMAT,
      r->input.offset);
  return ghc_begin_resync (r);
}
