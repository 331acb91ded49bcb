/* call-stack.c -- memory of the frames, and leaves that do not match the innermost frame. */
#include "config.h"

#include "profiler/record/call-stack.h"
#include <sys/mman.h>

bool
call_stack_make (struct call_stack *s)
{
  void *frames = mmap (NULL, CALL_STACK_FRAMES * sizeof (uint64_t), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (frames == MAP_FAILED)
    return false;
  s->frames = frames;
  return true;
}

size_t
call_stack_frames_to_leave (const struct call_stack *s, uint64_t method)
{
  if (s->depth > CALL_STACK_FRAMES)
    return 1; /* not stored: the runtime is right */
  for (size_t depth = s->depth; depth > 0; depth--)
    if (s->frames[depth - 1] == method)
      return s->depth - depth + 1;
  return 0;
}
