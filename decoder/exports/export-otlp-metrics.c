/* export-otlp-metrics.c -- metrics of OpenTelemetry, as `proflog push` sends them. */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/exports/otlp-trace.h"

const struct export_format export_otlp_metrics
    = { "otlp-metrics", "heap, collections, threads over time: OpenTelemetry",
        .trace = &otlp_trace_metrics };
