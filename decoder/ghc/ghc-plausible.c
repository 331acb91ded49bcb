/* ghc-plausible.c -- tests whether bytes make sense in an eventlog.
 *
 * Nothing in an event states that one begins.  So an event counts as one if the header declares its
 * tag and if its time is one of its block's, not much before that of the event before it.  The
 * decision must not depend on where the window happens to end.
 */
#include "config.h"

#include "decoder/ghc/ghc-reader-private.h"

#include <string.h>

enum plausibility
ghc_needs (const struct ghc_reader *r, size_t bytes)
{
  if (ghc_left (r) >= bytes)
    return PLAUSIBLE_YES;
  return input_buffer_is_last (&r->input) ? PLAUSIBLE_CUT : PLAUSIBLE_NEED_MORE;
}

enum plausibility
ghc_is_header (const struct ghc_reader *r, size_t at)
{
  static const uint8_t ids[GHC_HEADER_IDS_SIZE] = "hdrbhetb";
  const size_t there = ghc_left (r) > at ? MIN (ghc_left (r) - at, sizeof ids) : 0;
  if (there != 0 && memcmp (r->input.at + at, ids, there) != 0)
    return PLAUSIBLE_NO;
  return ghc_needs (r, at + sizeof ids);
}

enum plausibility
ghc_is_stray_marker (const struct ghc_reader *r)
{
  const size_t there = MIN (ghc_left (r), 2);
  if (memcmp (r->input.at, "\0\x12", there) != 0)
    return PLAUSIBLE_NO;
  return ghc_is_header (r, GHC_BLOCK_MARKER_SIZE);
}

static bool
is_in_block (const struct ghc_reader *r)
{
  return r->input.offset < r->block_end;
}

/* May an event at this time be where the reader is? */
static bool
is_time (const struct ghc_reader *r, uint64_t time)
{
  if (!is_in_block (r) || r->latest == 0)
    return true;
  return time >= r->earliest && time <= r->latest;
}

/* Is this one of the tags that end a block? */
static bool
is_border_tag (unsigned tag)
{
  return tag == GHC_TAG_BLOCK_MARKER || tag == GHC_DATA_END || tag == GHC_HEADER_BEGIN >> 16;
}

enum plausibility
ghc_plausible_at (const struct ghc_reader *r, size_t at)
{
  struct ghc_event_head head;
  if (ghc_needs (r, at + 2) != PLAUSIBLE_YES)
    return ghc_needs (r, at + 2);
  const enum ghc_head read = ghc_head_at (r, at, &head);
  if (is_border_tag (head.tag))
    return PLAUSIBLE_YES;
  if (read == GHC_HEAD_UNDECLARED)
    return PLAUSIBLE_NO;
  if (read == GHC_HEAD_SHORT)
    return ghc_needs (r, at + GHC_EVENT_HEADER_SIZE);
  const bool is_outside = r->input.offset + at >= r->block_end; /* early writers put some there */
  return (head.tag != 0 || head.time != 0) && (is_outside || is_time (r, head.time)) ? PLAUSIBLE_YES
                                                                                     : PLAUSIBLE_NO;
}

/* Do two things that make sense follow, `at` bytes from here?  Where the log is cut, one is enough,
 * or none. */
static enum plausibility
two_plausible_at (const struct ghc_reader *r, size_t at)
{
  struct ghc_event_head head;
  enum plausibility plausible = ghc_plausible_at (r, at);
  if (plausible == PLAUSIBLE_YES) {
    const enum ghc_head read = ghc_head_at (r, at, &head);
    if (is_border_tag (head.tag) || read == GHC_HEAD_UNDECLARED)
      return PLAUSIBLE_YES;
    plausible = read == GHC_HEAD_READ ? ghc_plausible_at (r, at + head.size)
                                      : ghc_needs (r, at + GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE);
  }
  return plausible == PLAUSIBLE_CUT ? PLAUSIBLE_YES : plausible;
}

enum plausibility
ghc_is_end (const struct ghc_reader *r)
{
  static const uint8_t header[] = "hdrb", marker[] = { 0, GHC_TAG_BLOCK_MARKER };
  if (r->block_end <= r->input.offset + 2)
    return PLAUSIBLE_YES;
  const uint8_t *next = r->input.at + 2;
  const size_t there = ghc_left (r) - 2;
  if (memcmp (next, header, MIN (there, GHC_ID_SIZE)) != 0
      && memcmp (next, marker, MIN (there, sizeof marker)) != 0)
    return PLAUSIBLE_NO;
  return ghc_needs (r, 2 + GHC_ID_SIZE) == PLAUSIBLE_NEED_MORE ? PLAUSIBLE_NEED_MORE
                                                               : PLAUSIBLE_YES;
}

/* Does the block that is read end, as it should, with something else? */
static enum plausibility
is_border (const struct ghc_reader *r)
{
  const size_t at = (size_t) (r->block_end - r->input.offset);
  const enum plausibility there = ghc_needs (r, at + 2);
  if (there != PLAUSIBLE_YES)
    return there;
  const unsigned tag = proflog_be16 (r->input.at + at);
  return is_border_tag (tag) ? PLAUSIBLE_YES : PLAUSIBLE_NO;
}

/* An event goes over the end of its block: either its length is wrong, or its block's. */
static enum plausibility
is_plausible_over_end (const struct ghc_reader *r, uint64_t time, size_t size)
{
  const enum plausibility border = is_time (r, time) ? is_border (r) : PLAUSIBLE_YES;
  if (border != PLAUSIBLE_NO)
    return border == PLAUSIBLE_NEED_MORE ? PLAUSIBLE_NEED_MORE : PLAUSIBLE_NO;
  const enum plausibility next = ghc_plausible_at (r, size);
  return next == PLAUSIBLE_CUT ? PLAUSIBLE_NO : next;
}

bool
ghc_is_leap (const struct ghc_reader *r, uint64_t time)
{
  static const uint64_t leap_ns = 1000000000;
  return !is_in_block (r) && r->is_stray
         && (time < ghc_time_floor (r->last) || time / 4 > r->last + leap_ns);
}

enum plausibility
ghc_event_plausible_in_block (const struct ghc_reader *r, struct ghc_event_head head)
{
  const uint64_t time = head.time;
  if (head.tag == 0 && time == 0)
    return PLAUSIBLE_NO;
  if (!is_in_block (r))
    return PLAUSIBLE_YES;
  if (r->input.offset + head.size > r->block_end)
    return is_plausible_over_end (r, time, head.size);
  if (is_time (r, time) && (r->latest == 0 || time >= ghc_time_floor (r->last)))
    return PLAUSIBLE_YES;
  if (time == 0)
    return PLAUSIBLE_NO;
  return two_plausible_at (r, head.size);
}
