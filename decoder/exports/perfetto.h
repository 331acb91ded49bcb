/* perfetto.h -- traces of Perfetto. */
#ifndef PROFLOG_PERFETTO_H
#define PROFLOG_PERFETTO_H

#include "decoder/exports/export-trace.h"

/* Tracks, slices, instants and counters as track events; samples and allocations. */
extern const struct trace_format perfetto_trace;

#endif
