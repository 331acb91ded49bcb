/* export-timeline.h -- a trace summed up by intervals of time (timeline.h). */
#ifndef PROFLOG_EXPORT_TIMELINE_H
#define PROFLOG_EXPORT_TIMELINE_H

#include "decoder/core/timeline.h"
#include "decoder/exports/export-stacks.h"
#include "decoder/exports/export-trace.h"

/* What the `data` of a trace of this format is. */
struct export_timeline {
  struct timeline *timeline;
  bool has_processes; /* the trace has several logs: names are those of a process and a thread */
  bool has_threads;   /* stacks lie below their threads (export_timeline_add_stacks) */
  GPtrArray *tracks;  /* of struct timeline_track *, by number of the track less 1 */
  GArray *names; /* of uint32_t: names of the timeline + 1, by number in the trace; 0: not yet */
};

extern const struct trace_format export_timeline_format;

/* The same, where allocations have stacks, too: their types are the innermost frames. */
extern const struct trace_format export_timeline_stacks_format;

/* Into this timeline, which is borrowed and begins with the trace; `has_processes`: of several
 * logs. */
void export_timeline_init (struct export_timeline *export, struct timeline *timeline,
                           bool has_processes);
void export_timeline_clear (struct export_timeline *export);

/* Adds the stacks of a table, which `has_threads` put below their threads, with their counts or
 * their amounts; the outermost frame is the name of the thread. */
void export_timeline_add_stacks (const struct export_timeline *export,
                                 enum timeline_table_key table, bool counts,
                                 struct export_stacks *stacks);

#endif
