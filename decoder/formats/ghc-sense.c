/* ghc-sense.c -- what makes sense in an eventlog.
 *
 * Nothing in an event says that one begins.  So an event counts as one if the header declares its
 * tag and if its time is one of its block's, not much before that of the event before it.  What is
 * decided must not depend on where the window happens to end.
 */
#include "decoder/formats/ghc-reading.h"

#include <string.h>

#define MARKER_TAG 18

enum sense
ghc_needs (const struct ghc_reader *r, size_t bytes)
{
  if (ghc_left (r) >= bytes)
    return SENSE_YES;
  return window_is_last (&r->window) ? SENSE_CUT : SENSE_SHORT;
}

enum sense
ghc_is_header (const struct ghc_reader *r, size_t at)
{
  static const uint8_t ids[GHC_HEADER_IDS_SIZE] = "hdrbhetb";
  const size_t there = ghc_left (r) > at ? MIN (ghc_left (r) - at, sizeof ids) : 0;
  if (there != 0 && memcmp (r->window.at + at, ids, there) != 0)
    return SENSE_NO;
  return ghc_needs (r, at + sizeof ids);
}

enum sense
ghc_is_stray_marker (const struct ghc_reader *r)
{
  const size_t there = MIN (ghc_left (r), 2);
  if (memcmp (r->window.at, "\0\x12", there) != 0)
    return SENSE_NO;
  return ghc_is_header (r, GHC_BLOCK_MARKER_SIZE);
}

size_t
ghc_size_at (const uint8_t *event, const struct ghc_event_type *type)
{
  if (type->size == GHC_VARIABLE)
    return GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE
           + (size_t) ghc_number_at (event + GHC_EVENT_HEADER_SIZE, GHC_LENGTH_SIZE);
  return GHC_EVENT_HEADER_SIZE + type->real_size;
}

static bool
is_in_block (const struct ghc_reader *r)
{
  return r->window.offset < r->block_end;
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
  return tag == MARKER_TAG || tag == GHC_DATA_END || tag == GHC_HEADER_BEGIN >> 16;
}

enum sense
ghc_fits_at (const struct ghc_reader *r, size_t at)
{
  if (ghc_needs (r, at + 2) != SENSE_YES)
    return ghc_needs (r, at + 2);
  const uint8_t *next = r->window.at + at;
  const unsigned tag = (unsigned) ghc_number_at (next, 2);
  if (is_border_tag (tag))
    return SENSE_YES;
  if (ghc_types_find (&r->types, tag) == NULL)
    return SENSE_NO;
  const enum sense there = ghc_needs (r, at + GHC_EVENT_HEADER_SIZE);
  if (there != SENSE_YES)
    return there;
  const uint64_t time = ghc_time_at (next);
  const bool is_outside = r->window.offset + at >= r->block_end; /* early writers put some there */
  return (tag != 0 || time != 0) && (is_outside || is_time (r, time)) ? SENSE_YES : SENSE_NO;
}

/* Do two things that make sense follow, `at` bytes from here?  Where the log is cut, one is enough,
 * or none. */
static enum sense
two_fit_at (const struct ghc_reader *r, size_t at)
{
  const enum sense first = ghc_fits_at (r, at);
  if (first != SENSE_YES)
    return first == SENSE_CUT ? SENSE_YES : first;
  const unsigned tag = (unsigned) ghc_number_at (r->window.at + at, 2);
  const struct ghc_event_type *type = ghc_types_find (&r->types, tag);
  if (is_border_tag (tag) || type == NULL)
    return SENSE_YES;
  const enum sense there = type->size == GHC_VARIABLE
                               ? ghc_needs (r, at + GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE)
                               : SENSE_YES;
  if (there != SENSE_YES)
    return there == SENSE_CUT ? SENSE_YES : there;
  const enum sense second = ghc_fits_at (r, at + ghc_size_at (r->window.at + at, type));
  return second == SENSE_CUT ? SENSE_YES : second;
}

enum sense
ghc_is_touched (const struct ghc_reader *r, size_t size)
{
  static const uint8_t zeros[GHC_EVENT_HEADER_SIZE];
  const size_t there = MIN (ghc_left (r) - size, sizeof zeros);
  if (r->window.at[size - 1] != 0 || memcmp (r->window.at + size, zeros, there) != 0)
    return SENSE_NO;
  if (there == sizeof zeros)
    return SENSE_YES;
  return window_is_last (&r->window) ? SENSE_NO : SENSE_SHORT;
}

enum sense
ghc_is_end (const struct ghc_reader *r)
{
  static const uint8_t header[] = "hdrb", marker[] = { 0, MARKER_TAG };
  if (r->block_end <= r->window.offset + 2)
    return SENSE_YES;
  const uint8_t *next = r->window.at + 2;
  const size_t there = ghc_left (r) - 2;
  if (memcmp (next, header, MIN (there, GHC_ID_SIZE)) != 0
      && memcmp (next, marker, MIN (there, sizeof marker)) != 0)
    return SENSE_NO;
  return ghc_needs (r, 2 + GHC_ID_SIZE) == SENSE_SHORT ? SENSE_SHORT : SENSE_YES;
}

/* Does the block that is read end, as it should, with something else? */
static enum sense
is_border (const struct ghc_reader *r)
{
  const size_t at = (size_t) (r->block_end - r->window.offset);
  const enum sense there = ghc_needs (r, at + 2);
  if (there != SENSE_YES)
    return there;
  const unsigned tag = (unsigned) ghc_number_at (r->window.at + at, 2);
  return is_border_tag (tag) ? SENSE_YES : SENSE_NO;
}

/* An event goes over the end of its block: either its length is wrong, or its block's. */
static enum sense
is_likely_over_end (const struct ghc_reader *r, uint64_t time, size_t size)
{
  const enum sense border = is_time (r, time) ? is_border (r) : SENSE_YES;
  if (border != SENSE_NO)
    return border == SENSE_SHORT ? SENSE_SHORT : SENSE_NO;
  const enum sense next = ghc_fits_at (r, size);
  return next == SENSE_CUT ? SENSE_NO : next;
}

/* Behind a lost marker events may go on for long, but not at any time. */
static bool
is_stray_time (const struct ghc_reader *r, uint64_t time)
{
  static const uint64_t leap_ns = 1000000000;
  return time >= ghc_time_floor (r->last) && time / 4 <= r->last + leap_ns;
}

enum sense
ghc_is_likely (const struct ghc_reader *r, unsigned tag, uint64_t time, size_t size)
{
  if (tag == 0 && time == 0)
    return SENSE_NO;
  if (!is_in_block (r))
    return !r->is_stray || is_stray_time (r, time) ? SENSE_YES : ghc_is_chain (r);
  if (r->window.offset + size > r->block_end)
    return is_likely_over_end (r, time, size);
  if (is_time (r, time) && (r->latest == 0 || time >= ghc_time_floor (r->last)))
    return SENSE_YES;
  if (time == 0)
    return SENSE_NO;
  return two_fit_at (r, size);
}
