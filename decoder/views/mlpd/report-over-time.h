/* report-over-time.h -- the tables of --by time: an interval a row. */
#ifndef PROFLOG_REPORT_OVER_TIME_H
#define PROFLOG_REPORT_OVER_TIME_H

#include "decoder/core/timeline.h"
#include "decoder/views/section.h"

/* Puts the width of an interval and a table whose columns are the time; a count and, where the
 * shape has five columns, an amount of what began in the interval; its rate per second; a bar for
 * people.  `is_of_amount`: the rate is that of the amount. */
void over_time_put (const struct report *report, const struct table_shape *shape,
                    enum timeline_table_key key, bool is_of_amount);

#endif
