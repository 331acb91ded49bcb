/* mono-lines.h -- the source lines of the frames of a sample, from the runtime's debug information.
 *
 * On the ticker's thread only: lookups lock and allocate.
 */
#ifndef PROFILER_MONO_LINES_H
#define PROFILER_MONO_LINES_H

#include <mono/metadata/appdomain.h>
#include <stdbool.h>
#include <stddef.h>

/* Lines of frames in turn, innermost first, as docs/mlpd-format.md describes their text. */
struct frame_lines {
  char text[8192];
  size_t length;
  size_t pending;   /* frames without a line since the last one that has one */
  const char *file; /* of that */
  bool is_full;     /* no further frame has a line */
};

/* Of the next sample; without lines unless they are wanted, and Mono has debug information. */
void lines_begin (struct frame_lines *lines, bool is_wanted);

/* The next frame.  `is_call`: the code is after a call, else it was interrupted. */
void lines_add (struct frame_lines *lines, MonoMethod *method, MonoDomain *domain, char *code,
                bool is_call);

#endif
