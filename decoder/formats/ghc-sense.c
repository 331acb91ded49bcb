/* ghc-sense.c -- what makes sense in an eventlog, and the search for it behind damage.
 *
 * Nothing in an event says that one begins.  So an event counts as one if the header declares its
 * tag and if its time is one of its block's; after damage the reader looks for two such in a row,
 * for the marker of a block, or for a header.  What is decided must not depend on where the window
 * happens to end.
 */
#include "decoder/formats/ghc-reading.h"

#include <string.h>

/* Highest capability that is, where a block was not expected. */
#define PLAUSIBLE_CAP_MAX 4096

/* That so many bytes are needed here. */
static enum sense
needs (const struct ghc_reader *r, size_t bytes)
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
  return needs (r, at + sizeof ids);
}

enum sense
ghc_is_stray_marker (const struct ghc_reader *r)
{
  const size_t there = MIN (ghc_left (r), 2);
  if (memcmp (r->window.at, "\0\x12", there) != 0)
    return SENSE_NO;
  return ghc_is_header (r, GHC_BLOCK_MARKER_SIZE);
}

/* May an event with this tag and time be in the block that is read? */
static bool
is_of_block (const struct ghc_reader *r, unsigned tag, uint64_t time)
{
  return ghc_types_find (&r->types, tag) != NULL && (tag != 0 || time != 0) /* zeros */
         && (r->window.offset >= r->block_end || r->latest == 0
             || (time >= r->earliest && time <= r->latest));
}

size_t
ghc_size_at (const uint8_t *event, const struct ghc_event_type *type)
{
  if (type->size == GHC_VARIABLE)
    return GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE
           + (size_t) ghc_number_at (event + GHC_EVENT_HEADER_SIZE, GHC_LENGTH_SIZE);
  return GHC_EVENT_HEADER_SIZE + type->real_size;
}

/* Is this what follows an event, `at` bytes from here? */
static enum sense
is_next (const struct ghc_reader *r, size_t at)
{
  if (r->window.offset + at >= r->block_end)
    return r->window.offset + at == r->block_end ? SENSE_YES : SENSE_NO;
  if (window_is_last (&r->window) && ghc_left (r) < at + GHC_EVENT_HEADER_SIZE)
    return SENSE_YES; /* cut there */
  if (needs (r, at + GHC_EVENT_HEADER_SIZE) == SENSE_SHORT)
    return SENSE_SHORT;
  const uint8_t *next = r->window.at + at;
  return is_of_block (r, (unsigned) ghc_number_at (next, 2), ghc_time_at (next)) ? SENSE_YES
                                                                                 : SENSE_NO;
}

/* Behind damage in a block: do two of its events begin here? */
static enum sense
is_event (const struct ghc_reader *r)
{
  if (r->window.offset >= r->block_end || r->latest == 0)
    return SENSE_NO;
  const enum sense there = needs (r, GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE);
  if (there != SENSE_YES)
    return there;
  const unsigned tag = (unsigned) ghc_number_at (r->window.at, 2);
  const struct ghc_event_type *type = ghc_types_find (&r->types, tag);
  if (!is_of_block (r, tag, ghc_time_at (r->window.at)) || type->kind == GHC_BLOCK_MARKER)
    return SENSE_NO;
  const size_t size = ghc_size_at (r->window.at, type);
  const enum sense whole = needs (r, size);
  return whole == SENSE_YES ? is_next (r, size) : whole;
}

enum sense
ghc_is_block (const struct ghc_reader *r)
{
  static const uint8_t tag[] = { 0, 18 };
  const enum sense there = needs (r, GHC_BLOCK_MARKER_SIZE);
  if (memcmp (r->window.at, tag, MIN (ghc_left (r), sizeof tag)) != 0)
    return SENSE_NO;
  if (there != SENSE_YES)
    return there;
  const uint64_t time = ghc_time_at (r->window.at);
  const uint64_t size = ghc_number_at (r->window.at + 10, 4);
  const uint64_t end = ghc_number_at (r->window.at + 14, 8);
  const unsigned cap = (unsigned) ghc_number_at (r->window.at + 22, 2);
  if (size < GHC_BLOCK_MARKER_SIZE || size > GHC_BLOCK_MAX || end < time
      || (cap > PLAUSIBLE_CAP_MAX && cap != GHC_NO_CAP))
    return SENSE_NO;
  /* What follows must fit, too. */
  const uint8_t *next = r->window.at + GHC_BLOCK_MARKER_SIZE;
  const enum sense more = needs (r, GHC_BLOCK_MARKER_SIZE + GHC_EVENT_HEADER_SIZE);
  if (more == SENSE_SHORT)
    return SENSE_SHORT;
  if (more == SENSE_CUT)
    return SENSE_YES;
  const unsigned next_tag = (unsigned) ghc_number_at (next, 2);
  if (size == GHC_BLOCK_MARKER_SIZE)
    return next_tag == tag[1] || next_tag == GHC_DATA_END ? SENSE_YES : SENSE_NO;
  return next_tag == GHC_DATA_END
                 || (ghc_types_find (&r->types, next_tag) != NULL
                     && ghc_time_at (next) + GHC_TIME_SLACK_NS >= time
                     && ghc_time_at (next) <= end + GHC_TIME_SLACK_NS)
             ? SENSE_YES
             : SENSE_NO;
}

enum sense
ghc_is_end (const struct ghc_reader *r)
{
  static const uint8_t header[] = "hdrb", marker[] = { 0, 18 };
  if (r->block_end <= r->window.offset + 2)
    return SENSE_YES;
  const uint8_t *next = r->window.at + 2;
  const size_t there = ghc_left (r) - 2;
  if (memcmp (next, header, MIN (there, GHC_ID_SIZE)) != 0
      && memcmp (next, marker, MIN (there, sizeof marker)) != 0)
    return SENSE_NO;
  return needs (r, 2 + GHC_ID_SIZE) == SENSE_SHORT ? SENSE_SHORT : SENSE_YES;
}

/* Does the block that is read end, as it should, with something else? */
static enum sense
is_border (const struct ghc_reader *r)
{
  const size_t at = (size_t) (r->block_end - r->window.offset);
  const enum sense there = needs (r, at + 2);
  if (there != SENSE_YES)
    return there;
  const unsigned tag = (unsigned) ghc_number_at (r->window.at + at, 2);
  return tag == 18 || tag == GHC_DATA_END || tag == GHC_HEADER_BEGIN >> 16 ? SENSE_YES : SENSE_NO;
}

enum sense
ghc_is_likely (const struct ghc_reader *r, unsigned tag, uint64_t time, size_t size)
{
  if (r->window.offset < r->block_end && r->window.offset + size > r->block_end) {
    const enum sense border = is_of_block (r, tag, time) ? is_border (r) : SENSE_YES;
    return border == SENSE_SHORT ? SENSE_SHORT : border == SENSE_YES ? SENSE_NO : SENSE_YES;
  }
  if (is_of_block (r, tag, time))
    return SENSE_YES;
  return tag == 0 && time == 0 ? SENSE_NO : is_next (r, size);
}

/* ---- behind damage ---- */

enum step
ghc_step_search (struct ghc_reader *r)
{
  for (; ghc_left (r) != 0; ghc_consume (r, 1)) {
    const enum sense senses[] = { ghc_is_header (r, 0), ghc_is_block (r), is_event (r) };
    bool is_found = r->window.offset == r->block_end && ghc_left (r) >= 2
                    && ghc_number_at (r->window.at, 2) == GHC_DATA_END;
    for (size_t i = 0; i < G_N_ELEMENTS (senses) && !is_found; i++) {
      if (senses[i] == SENSE_SHORT)
        return STEP_SHORT;
      is_found = senses[i] == SENSE_YES;
    }
    if (is_found) {
      r->state = STATE_EVENTS;
      return ghc_give_damage (r);
    }
    if (r->window.offset == r->block_end && ghc_left (r) < 2 && !window_is_last (&r->window))
      return STEP_SHORT;
  }
  return STEP_SHORT;
}
