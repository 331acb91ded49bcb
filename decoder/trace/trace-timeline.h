/* trace-timeline.h -- a trace summed up by intervals of time (timeline.h). */
#ifndef PROFLOG_TRACE_TIMELINE_H
#define PROFLOG_TRACE_TIMELINE_H

#include "decoder/core/timeline.h"
#include "decoder/exports/export-stacks.h"
#include "decoder/exports/export-trace.h"

/* A thread of a log of Mono, which has one id after others. */
struct timeline_thread {
  uint64_t id;
  guint earlier; /* threads that had it */
};

/* The `data` of a trace of this format. */
struct trace_timeline {
  struct timeline *timeline;
  uint64_t zero;      /* when the timeline begins, for lanes that are ordered by time */
  bool has_processes; /* the trace has several logs: names are those of a process and a thread */
  bool has_threads;   /* stacks lie below their threads (trace_timeline_add_stacks) */
  GPtrArray *tracks;  /* of struct timeline_track *, by number of the track less 1 */
  GHashTable *lanes;  /* those of threads that are there already: struct timeline_thread -> lane */
  GArray *names; /* of uint32_t: names of the timeline + 1, by number in the trace; 0: not yet */
};

extern const struct trace_format trace_timeline_format;

/* The same, where allocations have stacks, too: their types are the innermost frames. */
extern const struct trace_format trace_timeline_stacks_format;

/* The same without calls, allocations and the number of events, which the timeline has otherwise
 * (trace_timeline_set_lane), in a fraction of the time. */
extern const struct trace_format trace_timeline_rest_format;

/* Into this timeline, which is borrowed and begins with the trace; `has_processes`: of several
 * logs. */
void trace_timeline_init (struct trace_timeline *export, struct timeline *timeline,
                          bool has_processes);
void trace_timeline_clear (struct trace_timeline *export);

/* The lane that a thread has, before the trace begins. */
void trace_timeline_set_lane (struct trace_timeline *export, struct timeline_thread thread,
                              struct timeline_lane *lane);

/* Adds the stacks of a table, which `has_threads` put below their threads, with their counts or
 * their amounts; the outermost frame is the name of the thread. */
void trace_timeline_add_stacks (const struct trace_timeline *export, enum timeline_table_key table,
                                bool counts, struct export_stacks *stacks);

#endif
