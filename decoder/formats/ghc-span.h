/* ghc-span.h -- events of a block that a reader has at hand, for those who go through many at once.
 *
 * Whoever looks at a span reads whole events from its beginning on, and leaves to the reader, which
 * is the judge, all that does not look like one: a tag that the header does not declare, a time
 * that is not the block's, bytes that go over the span's end, a block marker, a tag and a time of
 * zeros, a payload that ends before its fields do.
 */
#ifndef PROFLOG_GHC_SPAN_H
#define PROFLOG_GHC_SPAN_H

#include <proflog/ghc-reader.h>

struct ghc_span {
  const uint8_t *at, *end; /* the reader's, valid until its next call */
  uint64_t offset;         /* of the first byte in the log */
  unsigned cap;            /* whose block it is, or GHC_NO_CAP */
  uint64_t earliest;       /* times of its events */
  uint64_t latest;
};

/* What the reader has of the block that it is in; false if there is nothing, or it is in none. */
bool ghc_span_of (const struct ghc_reader *reader, struct ghc_span *span);

/* So many bytes of it, whole events, were read: the reader goes on behind them. */
void ghc_span_pass (struct ghc_reader *reader, size_t bytes);

#endif
