/* call-stack.h -- the methods that a thread is in, as far as enter and leave tell.
 *
 * Code compiled ahead of time raises no enter, yet exceptions raise a leave for its frames too:
 * a leave counts only if its method's enter was seen.
 */
#ifndef PROFLOG_CALL_STACK_H
#define PROFLOG_CALL_STACK_H

#include "profiler/recorder.h"

/* Frames that are kept; deeper ones are counted only. */
#define CALL_STACK_FRAMES ((size_t) 64 * 1024)

/* Memory for a recorder's frames; false without. */
bool call_stack_make (struct recorder *r);

/* Enters a method.  Returns the depth it is at, 0 for the outermost. */
static inline size_t
call_stack_enter (struct recorder *r, uint64_t method)
{
  const size_t depth = r->depth;
  if (depth < CALL_STACK_FRAMES)
    r->frames[depth] = method;
  r->depth = depth + 1;
  return depth;
}

/* Whether the innermost frame, of which there is one, is the method's. */
static inline bool
call_stack_is_on_top (const struct recorder *r, uint64_t method)
{
  return r->depth <= CALL_STACK_FRAMES && r->frames[r->depth - 1] == method;
}

/* How many frames end when `method` is left: 0 if its enter was not seen, 1 in general, more if
 * leaves of inner methods were not raised. */
size_t call_stack_frames_to_leave (const struct recorder *r, uint64_t method);

#endif
