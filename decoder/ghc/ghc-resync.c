/* ghc-resync.c -- the search of the reader of eventlogs after damage.
 *
 * At some place after damage a header begins, or a block, or an event in the middle of a block;
 * which only the bytes after it show.  Bytes in between may look like an event that ends where a
 * true one begins.  So:
 *
 * - A block is one if events in order follow its marker and its size leads to where something else
 *   begins, or all its events to exactly its end.
 * - An event counts with the next ones: a chain of events that are in order, up to the end of the
 *   block or some in number.  The first one's time must be close to the second's, which numbers
 *   that happen to be there hardly are.  It is none with tag 0, for any event is such a one if
 *   zeros end in its time.
 *
 * Of a block whose marker is lost the events are read nevertheless, and are of no capability.
 */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-reader-private.h"

#include <proflog/ghc-writer.h>
#include <string.h>

/* Highest capability that is, where a block was not expected. */
#define PLAUSIBLE_CAP_MAX 4096

enum {
  CHAIN_ENOUGH = 8, /* this many events in order are no accident */
  CHAIN_LEAST = 3,  /* events, up to an end that is damaged, too */
  CHAIN_CLOSE = 32, /* the first two are no farther from each other than their time by this */
};

/* This many bytes of blocks at most are read whole after one damage, lest a log that is made
 * so takes forever. */
#define WALKED_MOST (512u << 20)

/* ---- chains ---- */

enum chain_end {
  CHAIN_SHORT,  /* the window ends */
  CHAIN_BROKEN, /* the next bytes are in no order */
  CHAIN_CUT,    /* the log ends in it */
  CHAIN_CLOSED, /* its block ends, or something else begins */
  CHAIN_GOES_ON,
};

/* Events one after the other. */
struct chain {
  uint64_t earliest, latest; /* times that they may have */
  uint64_t end;              /* offset of the end of their block, 0: it is not known */
  bool leaps;                /* times may grow to a multiple from one to the next */
  /* The findings: */
  size_t at; /* where it ends, from the window's beginning on */
  unsigned events;
  uint64_t first, second, last; /* times */
};

/* The fields of the marker that is `at` bytes from here, whole, of the size that markers have. */
static struct ghc_block_marker
marker_at (const struct ghc_reader *r, size_t at)
{
  union ghc_payload payload = { 0 };
  struct cursor c = cursor_over (r->input.at + at + GHC_EVENT_HEADER_SIZE,
                                 GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE);
  ghc_decode_payload (GHC_BLOCK_MARKER, GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE, &c,
                      &payload);
  return payload.block_marker;
}

/* Do the fields of the marker that would be `at` bytes from here make sense? */
static enum plausibility
is_marker_at (const struct ghc_reader *r, size_t at)
{
  const struct ghc_event_type *type = ghc_types_find (&r->types, GHC_TAG_BLOCK_MARKER);
  const enum plausibility there = ghc_needs (r, at + GHC_BLOCK_MARKER_SIZE);
  if (type == NULL || type->real_size != GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE
      || (ghc_left (r) >= at + 2 && proflog_be16 (r->input.at + at) != GHC_TAG_BLOCK_MARKER))
    return PLAUSIBLE_NO;
  if (there != PLAUSIBLE_YES)
    return there;
  const struct ghc_block_marker marker = marker_at (r, at);
  return marker.block_size >= GHC_BLOCK_MARKER_SIZE && marker.block_size <= GHC_BLOCK_MAX
                 && marker.end_time >= ghc_event_time (r->input.at + at)
                 && (marker.cap <= PLAUSIBLE_CAP_MAX || marker.cap == GHC_NO_CAP)
             ? PLAUSIBLE_YES
             : PLAUSIBLE_NO;
}

/* Do the bytes at `at` from here end a block? */
static enum plausibility
is_border_at (const struct ghc_reader *r, size_t at)
{
  const enum plausibility there = ghc_needs (r, at + 2);
  if (there != PLAUSIBLE_YES)
    return there;
  const unsigned tag = proflog_be16 (r->input.at + at);
  if (tag == GHC_DATA_END)
    return PLAUSIBLE_YES;
  return tag == GHC_TAG_BLOCK_MARKER ? is_marker_at (r, at) : ghc_is_header (r, at);
}

/* Does the payload of an event that is there hold its fields? */
static bool
is_decodable (const struct ghc_event_type *type, const uint8_t *event, struct ghc_event_head head)
{
  union ghc_payload payload;
  struct ghc_item item;
  return (type->size != GHC_VARIABLE && !ghc_event_has_sizes (type->tag))
         || ghc_event_decode (type, event, head.size, &payload, &item);
}

/* Is a time in order after those before? */
static bool
is_in_order (const struct chain *c, uint64_t time)
{
  if (time < c->earliest || time > c->latest)
    return false;
  return c->events == 0
         || (time >= ghc_time_floor (c->last)
             && (c->leaps || time / 4 <= ghc_time_ceiling (c->last)));
}

/* The end of a chain where no event of it begins. */
static enum chain_end
end_chain (const struct ghc_reader *r, const struct chain *c, unsigned tag)
{
  const uint64_t offset = r->input.offset + c->at;
  if (tag == GHC_DATA_END && c->end > offset + 2)
    return CHAIN_BROKEN;
  switch (is_border_at (r, c->at)) {
  case PLAUSIBLE_YES:
    return CHAIN_CLOSED;
  case PLAUSIBLE_NEED_MORE:
    return CHAIN_SHORT;
  case PLAUSIBLE_CUT:
    return CHAIN_CUT;
  default:
    return CHAIN_BROKEN;
  }
}

/* Follows one event of the chain. */
static enum chain_end
follow_one (const struct ghc_reader *r, struct chain *c)
{
  const uint8_t *event = r->input.at + c->at;
  const size_t left = ghc_left (r) - c->at;
  const enum chain_end at_end = input_buffer_is_last (&r->input) ? CHAIN_CUT : CHAIN_SHORT;
  struct ghc_event_head head;
  if (left < 2)
    return at_end;
  const enum ghc_head read = ghc_head_at (r, c->at, &head);
  if (read == GHC_HEAD_UNDECLARED || head.tag == GHC_TAG_BLOCK_MARKER)
    return end_chain (r, c, head.tag);
  if (read != GHC_HEAD_READ)
    return at_end;
  if ((head.tag == 0 && head.time == 0) || !is_in_order (c, head.time)
      || (c->end != 0 && r->input.offset + c->at + head.size > c->end))
    return CHAIN_BROKEN;
  if (left < head.size)
    return at_end;
  if (!is_decodable (ghc_types_find (&r->types, head.tag), event, head))
    return CHAIN_BROKEN;
  if (c->events < 2)
    *(c->events == 0 ? &c->first : &c->second) = head.time;
  c->events++;
  c->last = head.time;
  c->at += head.size;
  return CHAIN_GOES_ON;
}

/* Follows the chain until it ends, or has `most` events. */
static enum chain_end
follow (const struct ghc_reader *r, struct chain *c, unsigned most)
{
  enum chain_end end = CHAIN_GOES_ON;
  while (end == CHAIN_GOES_ON && c->events < most) {
    if (c->end != 0 && r->input.offset + c->at == c->end)
      return CHAIN_CLOSED;
    end = follow_one (r, c);
  }
  return end;
}

/* ---- events ---- */

/* Highest time of events of which no block is known.  It is no matter how long a program runs
 * without an event, but nonsense should not count: bytes of times that rise slowly are in order,
 * too, and 10 bytes on the next ones are. */
static uint64_t
latest_stray (const struct ghc_reader *r)
{
  static const uint64_t day_ns = 86400 * (uint64_t) 1000000000;
  return MIN (r->latest, UINT64_MAX / 4) * 2 + day_ns;
}

/* Are two times as close to each other as those of events that follow each other mostly are, and
 * other numbers mostly are not? */
static bool
are_close (uint64_t first, uint64_t second)
{
  const uint64_t close = second / CHAIN_CLOSE;
  return first <= second ? second - first <= close
                         : first - second <= MIN (close, GHC_TIME_SLACK_NS);
}

/* After damage: do several events that belong together begin here, up to the end of a block or more
 * than a few? */
static enum plausibility
is_resync_point (const struct ghc_reader *r)
{
  const bool in_block = r->input.offset < r->block_end;
  struct chain c = { .latest = latest_stray (r), .end = in_block ? r->block_end : 0 };
  if (in_block && r->latest != 0) {
    /* The last one may be half overwritten. */
    c.earliest = MAX (r->earliest, ghc_time_floor (MIN (r->last, r->before)));
    c.latest = r->latest;
  }
  if (ghc_left (r) >= 2) {
    const unsigned tag = proflog_be16 (r->input.at);
    if (tag == 0 || tag == GHC_TAG_BLOCK_MARKER || ghc_types_find (&r->types, tag) == NULL)
      return PLAUSIBLE_NO;
  }
  const enum chain_end end = follow (r, &c, CHAIN_ENOUGH);
  if (c.events == 1 && in_block) /* the end of the block follows */
    c.second = ghc_time_floor (r->latest);
  const bool is_close = c.events != 0 && are_close (c.first, c.second);
  enum plausibility border;
  switch (end) {
  case CHAIN_SHORT:
    return PLAUSIBLE_NEED_MORE;
  case CHAIN_BROKEN:
    return PLAUSIBLE_NO;
  case CHAIN_CUT:
    return is_close && c.events >= CHAIN_LEAST ? PLAUSIBLE_YES : PLAUSIBLE_NO;
  case CHAIN_CLOSED:
    if (!is_close || c.events >= CHAIN_LEAST)
      return is_close ? PLAUSIBLE_YES : PLAUSIBLE_NO;
    border = is_border_at (r, c.at);
    return border == PLAUSIBLE_CUT ? PLAUSIBLE_NO : border;
  default:
    return is_close ? PLAUSIBLE_YES : PLAUSIBLE_NO;
  }
}

enum plausibility
ghc_event_plausible (const struct ghc_reader *r, struct ghc_event_head head)
{
  return ghc_is_leap (r, head.time) ? is_resync_point (r) : ghc_event_plausible_in_block (r, head);
}

/* ---- blocks ---- */

/* The events after a marker, of which some are in order: does its block end as it should? */
static enum plausibility
is_block_to_end (struct ghc_reader *r, struct chain *c, size_t size)
{
  if (size > GHC_WRITER_BLOCK_MAX)
    return PLAUSIBLE_NO;
  const enum plausibility border = is_border_at (r, size);
  if (border == PLAUSIBLE_YES || border == PLAUSIBLE_NEED_MORE)
    return border;
  /* Not a bit of it may be strange then. */
  if (r->walked > WALKED_MOST)
    return PLAUSIBLE_NO;
  const enum chain_end end = follow (r, c, UINT_MAX);
  if (end == CHAIN_SHORT)
    return PLAUSIBLE_NEED_MORE;
  r->walked += c->at;
  return (end == CHAIN_CLOSED && c->at == size) || (border == PLAUSIBLE_CUT && end == CHAIN_CUT)
             ? (c->events >= CHAIN_LEAST ? PLAUSIBLE_YES : PLAUSIBLE_NO)
             : PLAUSIBLE_NO;
}

enum plausibility
ghc_is_block (struct ghc_reader *r)
{
  const enum plausibility there = is_marker_at (r, 0);
  if (there != PLAUSIBLE_YES)
    return there;
  const struct ghc_block_marker marker = marker_at (r, 0);
  const size_t size = (size_t) marker.block_size;
  struct chain c = { .earliest = ghc_time_floor (ghc_event_time (r->input.at)),
                     .latest = ghc_time_ceiling (marker.end_time),
                     .end = r->input.offset + size,
                     .leaps = true,
                     .at = GHC_BLOCK_MARKER_SIZE };
  const enum chain_end end = follow (r, &c, CHAIN_ENOUGH);
  if (end == CHAIN_SHORT)
    return PLAUSIBLE_NEED_MORE;
  if (end == CHAIN_BROKEN)
    return PLAUSIBLE_NO;
  return is_block_to_end (r, &c, size);
}

/* ---- the search ---- */

/* Where no block is known to be: do the events end here, with the log or with another? */
static enum plausibility
is_end (const struct ghc_reader *r)
{
  if (ghc_left (r) >= 2 && proflog_be16 (r->input.at) != GHC_DATA_END)
    return PLAUSIBLE_NO;
  const enum plausibility there = ghc_needs (r, 2);
  if (there != PLAUSIBLE_YES)
    return there;
  if (r->input.offset == r->block_end)
    return PLAUSIBLE_YES;
  if (ghc_left (r) == 2)
    return input_buffer_is_last (&r->input) ? PLAUSIBLE_YES : PLAUSIBLE_NEED_MORE;
  return ghc_is_header (r, 2);
}

/* Events are found in the block that is read: does it end where its marker states?  If not, bytes
 * are missing or too many, and another block may have begun.  Zeros leave all where it is. */
static enum plausibility
is_block_in_place (const struct ghc_reader *r)
{
  static const uint8_t zeros[GHC_EVENT_HEADER_SIZE];
  const uint64_t at = r->block_end - r->input.offset;
  if (at > GHC_WRITER_BLOCK_MAX)
    return PLAUSIBLE_YES;
  const enum plausibility there = ghc_needs (r, (size_t) at + sizeof zeros);
  if (there == PLAUSIBLE_NEED_MORE)
    return PLAUSIBLE_NEED_MORE;
  if (there == PLAUSIBLE_YES && memcmp (r->input.at + at, zeros, sizeof zeros) == 0)
    return PLAUSIBLE_YES;
  const enum plausibility border = is_border_at (r, (size_t) at);
  if (border != PLAUSIBLE_CUT)
    return border;
  return ghc_ends_with_mark (r) ? PLAUSIBLE_NO : PLAUSIBLE_YES;
}

/* Events are found, and the marker of their block is lost. */
static void
begin_stray (struct ghc_reader *r)
{
  char *message
      = g_strdup_printf ("%s; the capability of the events behind offset %" G_GUINT64_FORMAT
                         " is unknown, as the marker of their block is lost",
                         r->message, r->input.offset);
  g_free (r->message);
  r->message = message;
  r->is_stray = true;
  r->block_end = r->input.offset;
  r->last = r->before = ghc_event_time (r->input.at);
}

/* An event is found: which block is it in? */
static enum plausibility
place_event (struct ghc_reader *r)
{
  const enum plausibility in_place
      = r->input.offset < r->block_end ? is_block_in_place (r) : PLAUSIBLE_NO;
  if (in_place == PLAUSIBLE_NO && ghc_types_find (&r->types, GHC_TAG_BLOCK_MARKER) != NULL)
    begin_stray (r);
  return in_place;
}

static bool
is_settled (enum plausibility plausible)
{
  return plausible == PLAUSIBLE_YES || plausible == PLAUSIBLE_NEED_MORE;
}

/* Does something begin here?  The cheap questions come first. */
static enum plausibility
is_beginning (struct ghc_reader *r)
{
  enum plausibility plausible = ghc_is_header (r, 0);
  if (!is_settled (plausible))
    plausible = is_end (r);
  if (!is_settled (plausible))
    plausible = ghc_is_block (r);
  if (is_settled (plausible))
    return plausible;
  plausible = is_resync_point (r);
  return plausible == PLAUSIBLE_YES && place_event (r) == PLAUSIBLE_NEED_MORE ? PLAUSIBLE_NEED_MORE
                                                                              : plausible;
}

/* Passes bytes with which nothing can begin, by their first two: a header, an end, or an event of a
 * type that is declared and that is not 0. */
static void
skip_hopeless (struct ghc_reader *r)
{
  const uint8_t *at = r->input.at;
  const uint8_t *const last = r->input.end - 1; /* has no tag to its end */
  for (; at < last; at++) {
    const unsigned tag = proflog_be16 (at);
    if (tag == GHC_HEADER_BEGIN >> 16 || tag == GHC_DATA_END
        || (tag != 0 && ghc_types_find (&r->types, tag) != NULL))
      break;
  }
  ghc_consume (r, (size_t) (at - r->input.at));
}

enum step
ghc_step_resync (struct ghc_reader *r)
{
  for (; ghc_left (r) != 0; ghc_consume (r, 1)) {
    skip_hopeless (r);
    const enum plausibility plausible = is_beginning (r);
    if (plausible == PLAUSIBLE_NEED_MORE)
      return STEP_NEED_MORE;
    if (plausible == PLAUSIBLE_YES) {
      r->state = STATE_EVENTS;
      return ghc_emit_damage (r);
    }
  }
  return STEP_NEED_MORE;
}
