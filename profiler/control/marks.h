/* marks.h -- moments that the program, or a request from outside, gives a name. */
#ifndef PROFILER_MARKS_H
#define PROFILER_MARKS_H

#include <stdbool.h>
#include <stddef.h>

/* Notes in the log, among this thread's events, that `name` was reached now: a counter of that name
 * goes up by one.  False with a message in `why` if the log cannot record that.  From one thread at
 * a time. */
bool marks_add (const char *name, char *why, size_t size);

#endif
