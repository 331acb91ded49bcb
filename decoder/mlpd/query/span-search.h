/* span-search.h -- finds the spans of the program that --span requests. */
#ifndef PROFLOG_SPAN_SEARCH_H
#define PROFLOG_SPAN_SEARCH_H

#include "decoder/filter/filter.h"
#include "decoder/input/log-input.h"
#include "decoder/mlpd/index/span-places.h"

/* Reads a log that is at its beginning and can be rewound, and rewinds it.  NULL with an error if
 * it has no such span, or cannot be read (transfer full). */
struct span_places *span_search (struct log_input *input, const struct selection_span *span,
                                 GError **error);

#endif
