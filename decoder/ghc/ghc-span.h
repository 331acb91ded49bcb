/* ghc-span.h -- events of a block that a reader has at hand, for those that go through many at
 * once.
 *
 * A caller that inspects a span reads whole events from its beginning on, and leaves to the reader,
 * which is the judge, all that does not look like one: a tag that the header does not declare, a
 * time that is not the block's or is below ghc_time_floor of the one before, bytes that go over the
 * span's end, a block marker, a tag and a time of zeros, a payload that does not end with its
 * fields, or makes an event of variable size larger than GHC_EVENT_SMALL; and an event that ends
 * with a zero, if such a tag and time follow it or the span ends.
 */
#ifndef PROFLOG_GHC_SPAN_H
#define PROFLOG_GHC_SPAN_H

#include "decoder/ghc/ghc-event.h"

#include <proflog/ghc-reader.h>

struct ghc_span {
  const uint8_t *begin, *at, *end; /* the reader's, valid until its next call */
  uint64_t offset;                 /* of the first byte in the log */
  unsigned cap;                    /* whose block it is, or GHC_NO_CAP */
  uint64_t earliest;               /* times of its events */
  uint64_t latest;
  uint64_t last;   /* that of the event before */
  uint64_t before; /* that of the one before that */

  /* Of the events that the caller passed: */
  uint64_t events;
  uint64_t first_time, last_time; /* the earliest and the latest */
};

/* Tags below it have events that a caller may inspect: all that GHC and its libraries write. */
enum { GHC_SPAN_TAGS = 256 };

/* Sets the forms of the types whose events need no decoding to be passed over: of a fixed size,
 * with the fields that are known and no more, none of them a size; without unknown ones, block
 * markers, and the kinds of `others`.  The form of all others is 0. */
void ghc_span_forms (uint32_t forms[GHC_SPAN_TAGS], const struct ghc_header *header,
                     const bool others[GHC_KINDS + 1]);

/* Reads the head of the event at `at`, with this form, which the caller goes over after one of the
 * time `previous`.  False: it is left to the reader, for what its head or the bytes after it are.
 */
static inline bool
ghc_span_head (const struct ghc_span *span, const uint8_t *at, uint32_t form, uint64_t previous,
               struct ghc_event_head *head)
{
  const size_t left = (size_t) (span->end - at);
  /* Not below ghc_time_floor (previous), in fewer instructions. */
  return ghc_read_head (at, left, form, head) == GHC_HEAD_READ && head->size <= left
         && head->time >= span->earliest && head->time <= span->latest
         && head->time + GHC_TIME_SLACK_NS >= previous && (head->tag | head->time) != 0
         && !ghc_may_be_zero_fill (at + head->size, left - head->size);
}

/* The events that the reader has of its present block; false if there is nothing, or it is in
 * none. */
bool ghc_span_of (const struct ghc_reader *reader, struct ghc_span *span);

/* From here on the reader passes most events over that are not of these kinds: `wanted` has
 * GHC_KINDS + 1 of them, and stays the caller's, who lets it live as long as the reader. */
void ghc_span_want (struct ghc_reader *reader, const bool *wanted);

/* Whole events of it were read: the reader goes on where the span begins now. */
void ghc_span_pass (struct ghc_reader *reader, const struct ghc_span *span);

#endif
