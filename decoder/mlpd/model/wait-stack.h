/* wait-stack.h -- the kind of a thread's wait, by its stack, and whether it waits for work. */
#ifndef PROFLOG_WAIT_STACK_H
#define PROFLOG_WAIT_STACK_H

#include "decoder/mlpd/model/wait-kind.h"

#include <stddef.h>

/* The facts in the stack of a waiting thread. */
struct wait_stack {
  enum wait_kind kind;
  bool has_inside, has_outside; /* methods that are wait_is_inside, or are not */
};

/* A stack without methods yet.  `innermost` is the kind by its innermost method, WAIT_NONE if it
 * has none; `function` is the name of the native function, and may be NULL. */
struct wait_stack wait_stack_new (enum wait_kind innermost, const char *function);

/* Adds a method, from the innermost on: a wait that begins as one for an event may be one for a
 * child process.  `is_inside`: wait_is_inside (method). */
void wait_stack_add (struct wait_stack *stack, const char *method, bool is_inside);

/* Adds the method of a frame of a stack whose native function is not known, which begins with frame
 * 0, the innermost.  `method` may be NULL: it has no name. */
void wait_stack_add_frame (struct wait_stack *stack, size_t frame, const char *method);

/* Whether a thread with this stack waits for work: the finalizer, a worker of the thread pool, a
 * thread of the runtime.  `function` and `thread` are names, and may be NULL. */
bool wait_stack_is_idle (const struct wait_stack *stack, const char *function, const char *thread);

#endif
