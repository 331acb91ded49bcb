/* otlp-trace.h -- samples of traces with their times, threads and spans as profiles of
 * OpenTelemetry, and what traces have of the runtime as metrics.
 */
#ifndef PROFLOG_OTLP_TRACE_H
#define PROFLOG_OTLP_TRACE_H

#include "decoder/exports/export-trace.h"
#include "decoder/exports/otlp.h"
#include "decoder/exports/trace-stacks.h"

struct otlp_trace {
  struct otlp_profiles profiles; /* after the trace, of all that came since they were taken */
  struct trace_stacks stacks;
  GPtrArray *processes; /* of struct otlp_process *, in the order of profiles.programs */
  GPtrArray *tracks;    /* of struct otlp_track *, by number less 1 */
  uint64_t samples;     /* so far */
  uint64_t last;        /* time of the last of them, ns since 1970 */
};

/* Has a struct otlp_trace as its data; it writes nothing. */
extern const struct trace_format otlp_trace_format;

/* Write a ProfilesData, and a MetricsData. */
extern const struct trace_format otlp_trace_profiles, otlp_trace_metrics;

void otlp_trace_init (struct otlp_trace *trace);
void otlp_trace_clear (struct otlp_trace *trace);

/* After the trace: the metrics of all its processes, as a MetricsData; nothing if there are none.
 */
void otlp_trace_put_metrics (const struct otlp_trace *trace, GString *to);

#endif
