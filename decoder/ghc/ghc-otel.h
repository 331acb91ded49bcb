/* ghc-otel.h -- the binary messages of the package opentelemetry.
 *
 *   'O' 'T' 3 1  number u64, name               a span begins      (numbers have their lowest byte
 *   'O' 'T' 3 2  number u64                     it ends             first)
 *   'O' 'T' 3 3  number u64, key, 0, value      it has a tag
 *   'O' 'T' 3 4  number u64, key, 0, value      an event within it
 *   'O' 'T' 3 5  number u64, span u64, trace u64  its parent, which may be of another process
 *   'O' 'T' 3 6  number u64, trace u64          the trace that it belongs to
 *   'O' 'T' 3 7  number u64, span u64           its number for others: as it is in 5
 */
#ifndef PROFLOG_GHC_OTEL_H
#define PROFLOG_GHC_OTEL_H

#include <proflog/ghc.h>

enum ghc_otel_kind {
  GHC_OTEL_BEGIN = 1,
  GHC_OTEL_END,
  GHC_OTEL_TAG,
  GHC_OTEL_EVENT,
  GHC_OTEL_PARENT,
  GHC_OTEL_TRACE,
  GHC_OTEL_SPAN,
};

struct ghc_otel {
  enum ghc_otel_kind kind;
  uint64_t number;      /* of the span, in its process */
  struct ghc_text text; /* the name, or key, 0, value; the text is NULL: there is none */
  uint64_t span;        /* of GHC_OTEL_PARENT and GHC_OTEL_SPAN */
};

/* A number of 8 bytes. */
static inline uint64_t
ghc_otel_number (const uint8_t *at)
{
  uint64_t number = 0;
  for (unsigned i = 8; i > 0; i--)
    number = number << 8 | at[i - 1];
  return number;
}

/* Is the message one of these? */
static inline bool
ghc_otel_of (const struct ghc_text *message, struct ghc_otel *otel)
{
  enum { HEAD = 4, BODY = HEAD + 8 };
  const uint8_t *at = (const uint8_t *) message->text;
  if (message->length < BODY || at[0] != 'O' || at[1] != 'T' || at[2] != 3 || at[3] < GHC_OTEL_BEGIN
      || at[3] > GHC_OTEL_SPAN)
    return false;
  *otel = (struct ghc_otel){ .kind = (enum ghc_otel_kind) at[3],
                             .number = ghc_otel_number (at + HEAD) };
  const size_t left = message->length - BODY;
  if (otel->kind >= GHC_OTEL_PARENT) {
    if (left < 8)
      return false;
    otel->span = ghc_otel_number (at + BODY);
  } else if (otel->kind != GHC_OTEL_END) {
    otel->text = (struct ghc_text){ message->text + BODY, left };
  }
  return true;
}

/* Does the message begin or end a span? */
static inline bool
ghc_otel_span_of (const struct ghc_text *message, struct ghc_otel *otel)
{
  return ghc_otel_of (message, otel) && otel->kind <= GHC_OTEL_END;
}

#endif
