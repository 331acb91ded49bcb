/* wait-stack.c -- follows a stack from its innermost method to the first one that is not of the
 * waiting itself. */
#include "config.h"

#include "decoder/mlpd/model/wait-stack.h"
#include <glib.h>
#include <string.h>

/* The kind of a wait that a method of the library has called. */
static enum wait_kind
kind_of_caller (const char *method, enum wait_kind kind)
{
  static const struct {
    const char *beginning;
    enum wait_kind kind;
  } callers[] = { { "System.Diagnostics.Process:", WAIT_CHILD },
                  { "System.Threading.ReaderWriterLock", WAIT_LOCK },
                  { "System.Threading.SpinLock:", WAIT_LOCK },
                  { "System.Threading.ManualResetEventSlim:", WAIT_EVENT },
                  { "System.Threading.SemaphoreSlim:", WAIT_EVENT } };
  for (size_t i = 0; i < G_N_ELEMENTS (callers); i++)
    if (g_str_has_prefix (method, callers[i].beginning))
      /* They sleep before they wait; the lock of a monitor remains one. */
      return kind == WAIT_LOCK && callers[i].kind == WAIT_EVENT ? kind : callers[i].kind;
  return kind;
}

/* Whether a native function is where the runtime's threads have nothing to do. */
static bool
is_for_work (const char *function, enum wait_kind kind)
{
  return kind == WAIT_EVENT || kind == WAIT_OTHER
         || (kind == WAIT_POLL && function != NULL && strstr (function, "epoll") != NULL);
}

struct wait_stack
wait_stack_new (enum wait_kind innermost, const char *function)
{
  const enum wait_kind kind = innermost != WAIT_NONE ? innermost : wait_kind_of_function (function);
  return (struct wait_stack){ .kind = kind != WAIT_NONE ? kind : WAIT_OTHER };
}

void
wait_stack_add (struct wait_stack *stack, const char *method, bool is_inside)
{
  stack->has_inside |= is_inside;
  stack->has_outside |= !is_inside;
  if (!stack->has_outside)
    stack->kind = kind_of_caller (method, stack->kind);
}

void
wait_stack_add_frame (struct wait_stack *stack, size_t frame, const char *method)
{
  if (frame == 0)
    *stack = wait_stack_new (wait_kind_of_method (method), NULL);
  wait_stack_add (stack, method, method != NULL && wait_is_inside (method));
}

/* Of the runtime: threads that wait for work where they wait. */
static bool
is_worker (const char *name)
{
  static const char *const beginnings[] = { "Finalizer",   "Profiler Sampler", "SGen worker",
                                            "Thread Pool", "Threadpool ",      "Timer-Scheduler" };
  for (size_t i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_str_has_prefix (name, beginnings[i]))
      return true;
  return false;
}

bool
wait_stack_is_idle (const struct wait_stack *stack, const char *function, const char *thread)
{
  const enum wait_kind kind = stack->kind;
  if (stack->has_outside)
    return false;
  if (stack->has_inside)
    return kind == WAIT_EVENT || kind == WAIT_LOCK || kind == WAIT_POLL;
  return is_for_work (function, kind) && (thread == NULL || is_worker (thread));
}
