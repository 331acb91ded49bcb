/* heapshot-state.c -- the names and reasons of the states of a heap snapshot. */
#include "config.h"

#include "decoder/heap/heapshot-state.h"
#include <stddef.h>

const char *
heapshot_state_name (enum heapshot_state state)
{
  static const char *const names[] = {
    [HEAPSHOT_CUT] = "cut",
    [HEAPSHOT_DAMAGED] = "damaged",
    [HEAPSHOT_EMPTY] = "empty",
    [HEAPSHOT_COMPLETE] = "complete",
  };
  return names[state];
}

const char *
heapshot_state_reason (enum heapshot_state state)
{
  static const char *const reasons[] = {
    [HEAPSHOT_CUT] = "its end is missing",
    [HEAPSHOT_DAMAGED] = "the log is damaged between its start and its end",
    [HEAPSHOT_EMPTY] = "it has no objects: the program's runtime could not list them",
    [HEAPSHOT_COMPLETE] = NULL,
  };
  return reasons[state];
}
