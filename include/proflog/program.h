/* program.h -- requests of a recorded program to the profiler that records it.
 *
 * The module libmono-profiler-proflog.so exports this function; Proflog.dll has it for managed
 * programs.  So does libproflog-ghc; the module Proflog.Program has it for Haskell programs.  If several
 * threads call it at a time, they wait for each other.  A C program that embeds Mono looks it up as
 * follows, and has no profiler if there is none:
 *
 *   void *module = dlopen ("libmono-profiler-proflog.so", RTLD_LAZY | RTLD_NOLOAD);
 *   void *control = module != NULL ? dlsym (module, "proflog_control") : NULL;
 */
#ifndef PROFLOG_PROGRAM_H
#define PROFLOG_PROGRAM_H

#include <stddef.h>

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
 * From any thread that the runtime knows; not from callbacks of a profiler or a signal handler.  A heap
 * snapshot collects on this thread.  In a GHC program calls must be `safe`, as the runtime may collect
 * meanwhile. */
int proflog_control (const char *request, char *reply, size_t size);

#ifdef __cplusplus
}
#endif

#endif
