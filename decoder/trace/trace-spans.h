/* trace-spans.h -- spans that a Mono program records (proflog/program.h), as intervals of a trace.
 */
#ifndef PROFLOG_TRACE_SPANS_H
#define PROFLOG_TRACE_SPANS_H

#include "decoder/trace/trace-log.h"

#include <proflog/mlpd-reader.h>

struct trace_spans {
  GHashTable *names; /* uint64_t number -> char * */
  GHashTable *open;  /* uint64_t id -> GArray of uint64_t: numbers of open spans for the marks */
  uint64_t begun;
};

void trace_spans_init (struct trace_spans *spans);
void trace_spans_clear (struct trace_spans *spans);

/* The next event of the log, which may be an edge of a span.  One that does not count is there for
 * the other edge. */
void trace_spans_note (struct trace_spans *spans, struct trace_marks *marks,
                       const struct mlpd_item *item, const struct mark_time *at);

#endif
