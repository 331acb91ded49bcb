/* ghc-span.c -- the events that a reader of eventlogs has at hand, without a copy. */
#include "config.h"

#include "decoder/ghc/ghc-reader-private.h"
#include "decoder/ghc/ghc-span.h"

bool
ghc_span_of (const struct ghc_reader *reader, struct ghc_span *span)
{
  const struct input_buffer *w = &reader->input;
  if (reader->state != STATE_EVENTS || w->offset >= reader->block_end || reader->latest == 0
      || ghc_left (reader) == 0)
    return false;
  *span = (struct ghc_span){
    .begin = w->at,
    .at = w->at,
    .end = w->at + MIN (ghc_left (reader), reader->block_end - w->offset),
    .offset = w->offset,
    .cap = reader->cap,
    .earliest = reader->earliest,
    .latest = reader->latest,
    .last = reader->last,
    .before = reader->before,
  };
  return true;
}

void
ghc_span_pass (struct ghc_reader *reader, const struct ghc_span *span)
{
  ghc_consume (reader, (size_t) (span->at - reader->input.at));
  reader->last = span->last;
  reader->before = span->before;
}

void
ghc_span_want (struct ghc_reader *reader, const bool *wanted)
{
  reader->wanted = wanted;
}
