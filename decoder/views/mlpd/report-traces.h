/* report-traces.h -- backtraces in rows of tables. */
#ifndef PROFLOG_REPORT_TRACES_H
#define PROFLOG_REPORT_TRACES_H

#include "decoder/views/section.h"

/* "traces": the numbers of traces_put, and the frames. */
extern const struct table_shape traces_shape;

/* Puts a table of the sums of a key where the emitter is, a row a backtrace.  The shape's columns
 * are a count and, where there are two, bytes.  In each row are the frames, outermost first; of too
 * many the innermost ones are shown.  Those that read the same are one row.  What had no backtrace
 * has a row without frames, if others had one: the rows add up to what is about the key. */
void traces_put (const struct report *report, const struct table_shape *shape,
                 const struct trace_sums *sums, guint key, enum trace_order order);

/* The frames of one backtrace, for table_set_detail with the report as data and a trace, or
 * TRACE_NONE, as id. */
void traces_put_frames (const void *report, uint64_t trace, struct emitter *emitter);

/* The same, where people read that there is none. */
void traces_put_stack (const void *report, uint64_t trace, struct emitter *emitter);

/* The number in `traces` of the frames that are shown of a backtrace, each by the first method of
 * its name; `frames` (of guint) has them then. */
guint traces_add_shown (const struct report *report, struct traces *traces, guint trace,
                        GArray *frames);

#endif
