/* report-cpu-calls.h -- the section cpu of a log that has calls and no samples. */
#ifndef PROFLOG_REPORT_CPU_CALLS_H
#define PROFLOG_REPORT_CPU_CALLS_H

#include "decoder/views/section.h"

extern const struct table_shape cpu_calls_shape;

/* Whether the section is made of calls. */
bool cpu_is_of_calls (const struct report *report);

/* Its values and its table, into the open section. */
void cpu_put_calls (const struct report *report);

#endif
