/* trace-log.h -- a log on its way into a trace, and the marks in it. */
#ifndef PROFLOG_TRACE_LOG_H
#define PROFLOG_TRACE_LOG_H

#include "decoder/core/mark-pairs.h"
#include "decoder/ghc/analyses/ghc-threads.h"
#include "decoder/log/log-ordered.h"
#include "decoder/exports/export-trace.h"

/* A log on its way into a trace. */
struct log_trace {
  struct ordered_log *log;
  struct trace *trace;
  char *name;                    /* of its process */
  uint64_t zero;                 /* time on its clock at which the trace begins */
  struct waits_idle *idle;       /* of a log of Mono (waits.h); NULL: no wait is known to be idle */
  const struct summary *summary; /* likewise; NULL: names of native functions are not known */
  /* Of an eventlog: follows its threads with the trace.  NULL: nothing else does. */
  struct ghc_threads *threads;
};

/* The marks of a process.  Each is an instant on a track; the intervals between "START x" and
 * "STOP x" are slices x, when all are known: on a lane of their thread, where they nest.  Those of
 * a thread that overlap and do not nest have further lanes; those that end on another thread than
 * they began on have lanes of their name.  If more than TRACE_INTERVAL_THREADS_MAX threads have
 * intervals, those of the least time in them share lanes. */
#define TRACE_INTERVAL_THREADS_MAX 256u
struct trace_marks;

/* `zero`: the time of the log at which the trace begins. */
struct trace_marks *trace_marks_new (uint64_t zero);

/* The times are those of the log.  A mark that does not count is no instant: it is there for the
 * other end of its interval. */
void trace_mark (struct trace *trace, struct trace_marks *marks, struct trace_track *track,
                 const char *text, const struct mark_time *at);

/* The begin of a span, or its end (`name` NULL): mark-pairs.h. */
void trace_mark_span (struct trace_marks *marks, uint64_t number, const char *name,
                      const struct mark_time *at);

/* Where the lanes of threads are. */
struct trace_threads {
  void *data;
  /* The name of the lane of a thread that has an interval at this time of the log (transfer full),
   * and the track below which it lies; NULL: the process. */
  const struct trace_track *(*lane) (void *data, uint64_t thread, uint64_t time, char **name);
};

/* After the last one: puts the slices, and frees the marks.  One without an end that counts does
 * not end; one without a begin that counts is left out.  Returns how many STARTs and STOPs there
 * was no room for. */
uint64_t trace_marks_finish (struct trace *trace, struct trace_marks *marks,
                             const struct trace_track *process,
                             const struct trace_threads *threads);

/* The same for the log, with a warning if there was no room. */
void trace_log_end_marks (const struct log_trace *to, struct trace_marks *marks,
                          const struct trace_track *process, const struct trace_threads *threads);

#endif
