/* output-change.h -- the log goes on in another file on request. */
#ifndef PROFILER_OUTPUT_CHANGE_H
#define PROFILER_OUTPUT_CHANGE_H

#include <stddef.h>

/* Writes all events that were recorded up to now, and lets the log go on in another file
 * (log_change).  Returns 0, or an errno number with a message in `why`.  From one thread at a time.
 */
int writer_change_output (const char *output, unsigned limit_ms, char *why, size_t size);

/* On the writer's thread: changes the output if that was requested. */
void output_change_if_requested (void);

/* In the child of a fork. */
void output_change_start_over (void);

#endif
