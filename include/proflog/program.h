/* program.h -- requests of a recorded program to the profiler that records it.
 *
 * The module libmono-profiler-proflog.so exports these functions; Proflog.dll has them for managed
 * programs.  libproflog-ghc exports proflog_control; the module Proflog.Program has it for Haskell
 * programs. If several threads call that at a time, they wait for each other.  A C program that
 * embeds Mono looks it up as follows, and has no profiler if there is none:
 *
 *   void *module = dlopen ("libmono-profiler-proflog.so", RTLD_LAZY | RTLD_NOLOAD);
 *   void *control = module != NULL ? dlsym (module, "proflog_control") : NULL;
 */
#ifndef PROFLOG_PROGRAM_H
#define PROFLOG_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a request. */
enum proflog_control_result {
  PROFLOG_DONE = 0,
  PROFLOG_REFUSED = 1,       /* the reply has the reason */
  PROFLOG_NOT_RECORDED = -1, /* the program runs without the module, or its log has ended */
};

/* Carries out a request of `proflog ctl PID REQUEST`: start, stop, heapshot, flush, mark NAME,
 * status...  The reply, "ok" or "error KIND" and lines of text, is put into `reply` (of `size`
 * bytes; 0: not requested), cut if it is longer.  A NULL for a request is refused as an empty one.
 * Returns an enum proflog_control_result.
 *
 * From any thread that the runtime knows; not from callbacks of a profiler or a signal handler.  A
 * heap snapshot collects on this thread.  In a GHC program calls must be `safe`, as the runtime may
 * collect meanwhile. */
int proflog_control (const char *request, char *reply, size_t size);

/* Spans: pieces of work of the program, such as a request, that have a name and an id.  A span is
 * on the thread that began it, whose costs are its own meanwhile, until it ends, or until it leaves
 * that thread or enters another one.  Spans of a thread nest.  An id stands for the last span that
 * began with it and did not end; spans that nest may have the same id: then they leave and enter
 * threads together.  So an id is best that of the request.
 *
 * In the module only: from any thread that the runtime knows; not from callbacks of a profiler or a
 * signal handler.  They never wait for one another or for a reader of the log, but as all events
 * do: where `overflow=` states it. */

/* The number of a name of spans (1 to 200 bytes of UTF-8 without control characters), to be
 * requested once for each.  0: it is none, or there are 4096 names already.  The text is copied. */
unsigned proflog_span_name (const char *name);

/* A span of this name begins, or the one with this id ends; on this thread.  Returns an enum
 * proflog_control_result: PROFLOG_REFUSED if the name is 0 or the log's data version has no spans
 * (use the option format=17). */
int proflog_span_begin (unsigned name, uint64_t id);
int proflog_span_end (uint64_t id);

/* The same of a span of a trace of OpenTelemetry, so that its samples are linked to it: the upper
 * and the lower half of the trace's number, as it is written from left to right; the id is then the
 * number of the span there. */
int proflog_span_begin_in (unsigned name, uint64_t id, uint64_t trace_high, uint64_t trace_low);

/* Whether the runtime has calls of the module for managed programs (Proflog.dll). */
int proflog_span_calls (void);

/* The spans with this id go on elsewhere; they go on here. */
int proflog_span_leave (uint64_t id);
int proflog_span_enter (uint64_t id);

#ifdef __cplusplus
}
#endif

#endif
