/* ghc-otel.h -- the spans that the package opentelemetry writes into binary messages.
 *
 *   'O' 'T' 3 1  number u64, name        a span begins      (numbers have their lowest byte first)
 *   'O' 'T' 3 2  number u64              it ends
 */
#ifndef PROFLOG_GHC_OTEL_H
#define PROFLOG_GHC_OTEL_H

#include <proflog/ghc.h>

struct ghc_otel_span {
  uint64_t number;
  struct ghc_text name; /* the text is NULL: it ends */
};

/* Does the message begin or end a span? */
static inline bool
ghc_otel_span_of (const struct ghc_text *message, struct ghc_otel_span *span)
{
  enum { HEAD = 4, BEGIN = 1, END = 2 };
  const uint8_t *at = (const uint8_t *) message->text;
  if (message->length < HEAD + 8 || at[0] != 'O' || at[1] != 'T' || at[2] != 3
      || (at[3] != BEGIN && at[3] != END))
    return false;
  *span = (struct ghc_otel_span){ 0 };
  for (unsigned i = 8; i > 0; i--)
    span->number = span->number << 8 | at[HEAD + i - 1];
  if (at[3] == BEGIN)
    span->name = (struct ghc_text){ message->text + HEAD + 8, message->length - HEAD - 8 };
  return true;
}

#endif
