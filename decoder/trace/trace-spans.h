/* trace-spans.h -- spans that a Mono program records (proflog/program.h), as intervals of a trace.
 */
#ifndef PROFLOG_TRACE_SPANS_H
#define PROFLOG_TRACE_SPANS_H

#include "decoder/mlpd/analyses/span-costs.h"
#include "decoder/trace/trace-log.h"

#include <proflog/mlpd-reader.h>

/* Is told on which threads spans of traces of OpenTelemetry were; UINT64_MAX: to the end. */
typedef void trace_spans_put (void *data, uint64_t thread, const struct trace_linked_span *span,
                              uint64_t from, uint64_t to);

struct trace_spans {
  GHashTable *names; /* uint64_t number -> char * */
  GHashTable *open;  /* uint64_t id -> GArray of uint64_t: numbers of open spans for the marks */
  uint64_t begun;
  trace_spans_put *put; /* NULL: nothing is told */
  void *data;
  struct span_costs places; /* with `put`: follows them over threads; so are the next two */
  struct span_watch watch;
  GArray *links;                           /* of struct trace_linked_span, by number */
  const struct mlpd_program_span *present; /* that begins */
};

void trace_spans_init (struct trace_spans *spans, trace_spans_put *put, void *data);
void trace_spans_clear (struct trace_spans *spans);

/* After the last event. */
void trace_spans_finish (struct trace_spans *spans);

/* The next event of the log, which may be an edge of a span.  One that does not count is there for
 * the other edge. */
void trace_spans_note (struct trace_spans *spans, struct trace_marks *marks,
                       const struct mlpd_item *item, const struct mark_time *at);

#endif
