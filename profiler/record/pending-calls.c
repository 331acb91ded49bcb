/* pending-calls.c -- memory of pending calls. */
#include "config.h"

#include "profiler/record/call-stack.h"
#include "profiler/record/pending-calls.h"
#include <sys/mman.h>

bool
pending_calls_make (struct pending_calls *p)
{
  const size_t starts_size = CALL_STACK_FRAMES * sizeof *p->starts;
  void *memory = mmap (NULL, starts_size + TIMED_METHODS * sizeof *p->methods,
                       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  p->starts = memory;
  p->methods = (struct timed_method *) (void *) ((char *) memory + starts_size);
  return true;
}

void
pending_calls_clear (struct pending_calls *p)
{
  *p = (struct pending_calls){ .starts = p->starts, .methods = p->methods };
}

uint64_t
pending_calls_unstated (const struct pending_calls *p)
{
  return pending_calls_get (&p->skipped) + pending_calls_get (&p->count)
         - pending_calls_get (&p->stated);
}
