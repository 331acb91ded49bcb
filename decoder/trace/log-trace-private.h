/* log-trace-private.h -- the events of a log as a trace, by the format of the log.  Each function
 * adds the selected events to the trace, and returns their number.
 */
#ifndef PROFLOG_LOG_TRACE_PRIVATE_H
#define PROFLOG_LOG_TRACE_PRIVATE_H

#include "decoder/trace/trace-log.h"

uint64_t trace_mono (const struct log_trace *trace);
uint64_t trace_eventlog (const struct log_trace *trace);

#endif
