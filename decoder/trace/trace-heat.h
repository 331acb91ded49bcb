/* trace-heat.h -- a trace as a heat map (heat-cells.h). */
#ifndef PROFLOG_TRACE_HEAT_H
#define PROFLOG_TRACE_HEAT_H

#include "decoder/exports/export-heat.h"
#include "decoder/exports/export-trace.h"

/* The `data` of a trace of this format. */
struct trace_heat {
  struct heat_cells cells;
  struct heat_events events[HEAT_KINDS];
  struct trace_stacks stacks;
  GPtrArray *names;         /* of char *, after the end of the trace; NULL: it did not begin */
  GPtrArray *programs;      /* of char *: the names of the processes */
  GArray *tracks;           /* of struct heat_track, by number of the track less 1 */
  uint64_t start_ns;        /* when the first column begins, since 1970; 0: unknown */
  uint64_t summed;          /* entries below [other stacks] */
  struct heat_entry sample; /* the latest, of which may come that it waited; amount 0: none */
  guint sampled;            /* the program of `sample` */
};

extern const struct trace_format trace_heat_format;

/* Owns all that it has. */
void trace_heat_init (struct trace_heat *heat);
void trace_heat_clear (struct trace_heat *heat);

#endif
