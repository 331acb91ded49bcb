/* trace-runs.h -- lanes of Haskell threads in a trace: when each ran, on which capability.
 *
 * Threads of one label lie next to each other; those that ran longest come first, and the runtime's
 * own last.  Threads beyond TRACE_RUN_THREADS_MAX, those that ran least, share a lane for each
 * capability.
 */
#ifndef PROFLOG_TRACE_RUNS_H
#define PROFLOG_TRACE_RUNS_H

#include "decoder/exports/export-trace.h"

#define TRACE_RUN_THREADS_MAX 256u
/* Runs that are retained; of more the longest, at least half as many. */
#define TRACE_RUNS_MAX (1u << 20)

struct trace_runs;

struct trace_runs *trace_runs_new (void);

/* A thread ran on a capability; times are those of the trace. */
void trace_runs_add (struct trace_runs *runs, uint32_t thread, unsigned cap, uint64_t begin,
                     uint64_t end);

/* The names of threads. */
struct trace_runs_names {
  void *data;
  char *(*name) (void *data, uint32_t thread);        /* (transfer full) */
  const char *(*label) (void *data, uint32_t thread); /* NULL: none */
};

/* Puts the lanes, and frees the runs.  Returns how many runs there was no room for. */
uint64_t trace_runs_finish (struct trace *trace, struct trace_runs *runs,
                            const struct trace_track *process,
                            const struct trace_runs_names *names);

#endif
