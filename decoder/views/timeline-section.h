/* timeline-section.h -- what happened in each interval of a log, of both formats. */
#ifndef PROFLOG_TIMELINE_SECTION_H
#define PROFLOG_TIMELINE_SECTION_H

#include "decoder/views/section.h"

extern const struct table_shape timeline_lanes_shape, timeline_intervals_shape;

/* Lanes of threads or capabilities. */
void timeline_section_put (const struct report *report);

/* Notes that there is no timeline, if so: a pipe is not read a second time. */
bool timeline_section_absent (const struct report *report, const char *title);

/* The start of an interval, from the beginning of the log. */
int64_t timeline_section_time (const struct timeline *timeline, guint bin);

#endif
