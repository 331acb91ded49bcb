/* call-stack.c -- the uncommon parts. */
#include "profiler/call-stack.h"
#include <sys/mman.h>

bool
call_stack_make (struct recorder *r)
{
  void *frames = mmap (NULL, CALL_STACK_FRAMES * sizeof (uint64_t), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (frames == MAP_FAILED)
    return false;
  r->frames = frames;
  return true;
}

size_t
call_stack_frames_to_leave (const struct recorder *r, uint64_t method)
{
  if (r->depth > CALL_STACK_FRAMES)
    return 1; /* not kept: believe the runtime */
  for (size_t depth = r->depth; depth > 0; depth--)
    if (r->frames[depth - 1] == method)
      return r->depth - depth + 1;
  return 0;
}
