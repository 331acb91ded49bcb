/* ghc-spans.h -- the spans of the package opentelemetry one by one: their tags, the spans that they
 * are parts of.
 */
#ifndef PROFLOG_GHC_SPANS_H
#define PROFLOG_GHC_SPANS_H

#include "decoder/core/mark-pairs.h"
#include "decoder/ghc/ghc-otel.h"

#include <glib.h>

/* Spans that are retained, and bytes of their texts: the first ones of the log. */
#define GHC_SPANS_MAX (1u << 18)
#define GHC_SPANS_BYTES_MAX ((size_t) 64 << 20)

struct ghc_otel_one {
  char *name; /* NULL: it does not begin in the log */
  bool has_end;
  struct mark_time begin, end;
  GString *tags;   /* "key=value, key=value"; NULL: none */
  uint64_t events; /* within it */
  bool has_span, has_parent;
  uint64_t span, parent_span; /* numbers for other processes */
  /* After the last message: */
  const struct ghc_otel_one *parent; /* NULL: none, or of another process */
};

struct ghc_spans {
  GPtrArray *all;        /* of struct ghc_otel_one *, in the order of their first messages */
  GHashTable *by_number; /* the latest of each number: struct ghc_otel_one * */
  size_t bytes;
  uint64_t left_out; /* messages of spans that are not retained */
};

void ghc_spans_init (struct ghc_spans *spans);
void ghc_spans_clear (struct ghc_spans *spans);

/* The next message.  Those of a span may come in any order of time, as they may be of several
 * capabilities. */
void ghc_spans_add (struct ghc_spans *spans, const struct ghc_otel *otel,
                    const struct mark_time *at);

/* After the last one: finds the parents.  Where the log states none, a span is a part of the one
 * that was open on its thread. */
void ghc_spans_finish (struct ghc_spans *spans);

#endif
