/* export-otlp.c -- profiles of OpenTelemetry, as `proflog push` sends them. */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/exports/otlp-trace.h"

const struct export_format export_otlp
    = { "otlp", "samples with times, threads, spans: OpenTelemetry",
        .trace = &otlp_trace_profiles };
