/* trace-ghc.h -- the events of an eventlog as a trace. */
#ifndef PROFLOG_TRACE_GHC_H
#define PROFLOG_TRACE_GHC_H

#include "decoder/trace/trace-log.h"

/* Adds the selected events of the log to the trace.  Returns their number. */
uint64_t trace_eventlog (const struct log_trace *trace);

#endif
