/* trace-log.h -- a log on its way into a trace, and the marks in it. */
#ifndef PROFLOG_TRACE_LOG_H
#define PROFLOG_TRACE_LOG_H

#include "decoder/log/log-ordered.h"
#include "decoder/exports/export-trace.h"

/* A log on its way into a trace. */
struct log_trace {
  struct ordered_log *log;
  struct trace *trace;
  char *name;    /* of its process */
  uint64_t zero; /* time on its clock at which the trace begins */
};

/* A mark of a program: an instant on the track, and "START x" and "STOP x" begin and end slices x
 * on lanes of their own.  `lanes` belongs to the process: new with trace_marks_new. */
GHashTable *trace_marks_new (void);
void trace_mark (struct trace *trace, GHashTable *lanes, struct trace_track *track,
                 const char *text, uint64_t time);

#endif
