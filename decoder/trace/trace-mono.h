/* trace-mono.h -- the events of a log of Mono as a trace. */
#ifndef PROFLOG_TRACE_MONO_H
#define PROFLOG_TRACE_MONO_H

#include "decoder/trace/trace-log.h"

/* Adds the selected events of the log to the trace.  Returns their number. */
uint64_t trace_mono (const struct log_trace *trace);

#endif
