/* mprof-traces.h -- backtraces, outermost frame first. */
#ifndef PROFLOG_MPROF_TRACES_H
#define PROFLOG_MPROF_TRACES_H

#include "decoder/views/mprof/mprof-section.h"

/* The frames of a trace, a line each, after `indent`; of more than the view's maximum, the
 * outermost. */
void mprof_append_frames (const struct mprof_report *report, guint trace, const char *indent);

/* Sums by backtrace, from any number of analyses, of which those with the same frames in the text
 * are one. */
struct mprof_traces {
  const struct mprof_report *report;
  struct traces traces; /* cut to the view's maximum */
  struct trace_sums sums;
};

void mprof_traces_init (struct mprof_traces *traces, const struct mprof_report *report);
void mprof_traces_clear (struct mprof_traces *traces);

/* Adds the sums of a key.  Events without a backtrace have no row. */
void mprof_traces_add (struct mprof_traces *traces, const struct trace_sums *sums, guint key);

/* Appends them, most first, each below "N WHAT from:"; `order` selects what N is. */
void mprof_traces_append (const struct mprof_traces *traces, const char *what,
                          enum trace_order order);

/* The above for one key, if the view has backtraces. */
void mprof_append_traces (const struct mprof_report *report, const struct trace_sums *sums,
                          guint key, const char *what, enum trace_order order);

#endif
