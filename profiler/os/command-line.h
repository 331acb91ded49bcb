/* command-line.h -- how the runtime was started. */
#ifndef PROFILER_COMMAND_LINE_H
#define PROFILER_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* The program and its arguments, without the runtime and its options: words, each with a NUL after
 * it, at most `size` bytes of them.  Returns how many bytes; 0: not known. */
size_t command_line_of_program (char *words, size_t size);

#endif
