/* spans.h -- spans of the program, which it begins and ends itself (proflog/program.h). */
#ifndef PROFILER_SPANS_H
#define PROFILER_SPANS_H

/* From now on the runtime has calls for managed programs. */
void spans_set_callable (void);

#endif
