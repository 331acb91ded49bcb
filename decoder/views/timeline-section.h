/* timeline-section.h -- the timeline of a log, of both formats. */
#ifndef PROFLOG_TIMELINE_SECTION_H
#define PROFLOG_TIMELINE_SECTION_H

#include "decoder/views/section.h"

extern const struct table_shape timeline_lanes_shape, timeline_intervals_shape;

/* Lanes of threads or capabilities. */
void timeline_section_put (const struct report *report);

/* The section of series: the figures of the whole program in each interval. */
void timeline_section_put_series (const struct report *report,
                                  void (*put_rows) (const struct report *report,
                                                    const struct timeline *timeline));

/* The start of an interval, from the beginning of the log. */
int64_t timeline_section_time (const struct timeline *timeline, guint bin);

/* A sum of an interval for each second. */
uint64_t timeline_section_rate (const struct timeline *timeline, uint64_t sum);

/* How many there were on average, of which each was there for a part of the time of an interval. */
double timeline_section_average (const struct timeline *timeline, uint64_t ns);

#endif
