/* command-line.h -- how the runtime was started. */
#ifndef PROFILER_COMMAND_LINE_H
#define PROFILER_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the runtime is to compile everything itself, by -O=-aot on its command line or in
 * MONO_ENV_OPTIONS.  Embedders that request it otherwise are not recognized. */
bool command_line_has_no_aot (void);

/* The program and its arguments, without the runtime and its options: words, each with a NUL after
 * it, at most `size` bytes of them.  Returns how many bytes; 0: not known. */
size_t command_line_of_program (char *words, size_t size);

#endif
