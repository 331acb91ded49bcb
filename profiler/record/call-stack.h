/* call-stack.h -- the methods that a thread is in, as far as enter and leave report them.
 *
 * Code compiled ahead of time raises no enter, yet exceptions raise a leave for its frames too:
 * a leave counts only if its method's enter was seen.  Only its thread uses a stack.
 */
#ifndef PROFILER_CALL_STACK_H
#define PROFILER_CALL_STACK_H

#include <proflog/module-options.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames that are stored; deeper ones are counted only. */
#define CALL_STACK_FRAMES ((size_t) PROFLOG_MAX_CALL_DEPTH)

/* All 0 at first. */
struct call_stack {
  /* Methods that were entered and not left, innermost last; NULL: no memory yet. */
  uint64_t *frames;
  size_t depth;
  unsigned generation; /* the recording of calls that the frames belong to (mono-calls.c) */
};

/* Memory for the frames; false without. */
bool call_stack_make (struct call_stack *s);

/* All frames end. */
static inline void
call_stack_clear (struct call_stack *s)
{
  s->depth = 0;
}

/* Enters a method.  Returns its depth, 0 for the outermost. */
static inline size_t
call_stack_enter (struct call_stack *s, uint64_t method)
{
  const size_t depth = s->depth;
  if (depth < CALL_STACK_FRAMES)
    s->frames[depth] = method;
  s->depth = depth + 1;
  return depth;
}

/* The innermost frame, of which there is one, ends.  Returns its depth. */
static inline size_t
call_stack_leave (struct call_stack *s)
{
  return --s->depth;
}

/* Whether the innermost frame, of which there is one, is the method's. */
static inline bool
call_stack_is_on_top (const struct call_stack *s, uint64_t method)
{
  return s->depth <= CALL_STACK_FRAMES && s->frames[s->depth - 1] == method;
}

/* How many frames end when `method` is left: 0 if its enter was not seen, 1 in general, more if
 * leaves of inner methods were not raised. */
size_t call_stack_frames_to_leave (const struct call_stack *s, uint64_t method);

#endif
