/* log-trace-private.h -- the events of a log as a trace, by the format of the log.  Each function
 * adds the selected events to the trace, and returns their number.
 */
#ifndef PROFLOG_LOG_TRACE_PRIVATE_H
#define PROFLOG_LOG_TRACE_PRIVATE_H

#include "decoder/trace/trace-log.h"

uint64_t trace_mono (const struct log_trace *trace);
uint64_t trace_eventlog (const struct log_trace *trace);

/* An event of this size is in the trace, too; `passed`: the bytes of all so far.  Events do not
 * come in the order of the file, so none states how far that is. */
static inline void
trace_log_progress (const struct log_trace *trace, uint64_t *passed, uint64_t size)
{
  const uint64_t before = *passed;
  *passed += size;
  if (before >> 20 != *passed >> 20)
    progress_update (&trace->log->r.command->progress, *passed);
}

#endif
