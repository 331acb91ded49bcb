/* wait-kind.h -- what a thread waits for, by the native code that it waits in. */
#ifndef PROFLOG_WAIT_KIND_H
#define PROFLOG_WAIT_KIND_H

#include <stdbool.h>

enum wait_kind {
  WAIT_NONE,  /* it works */
  WAIT_LOCK,  /* until another thread leaves what one at a time may have: a monitor, a mutex */
  WAIT_EVENT, /* until another thread signals: Monitor.Wait, wait handles, semaphores, tasks */
  WAIT_JOIN,  /* until another thread ends */
  WAIT_CHILD, /* until another process ends */
  WAIT_SLEEP,
  WAIT_IO,
  WAIT_POLL,
  WAIT_GC,
  WAIT_OTHER, /* it was found waiting where no rule states a kind: for a processor, for example */
  WAIT_KINDS
};

/* Of the time in a method, without its callees; `name` may be NULL.  Only wrappers of native code
 * wait. */
enum wait_kind wait_kind_of_method (const char *name);

/* The same of a frame, where the wrapper that calls the native code X is "X [native]". */
enum wait_kind wait_kind_of_frame (const char *frame);

/* Of the time in a native function, by the name of its symbol, which may be NULL. */
enum wait_kind wait_kind_of_function (const char *symbol);

/* Whether a method belongs to the library's waiting itself, and not to what waits: a wrapper, or a
 * method of locks, threads, files and sockets. */
bool wait_is_inside (const char *method);

/* Whether a method is neither that, nor one of the class library. */
bool wait_is_of_program (const char *method);

/* What the stack of a thread that waits states. */
struct wait_stack {
  enum wait_kind kind;
  bool has_inside, has_outside; /* methods that are wait_is_inside, or are not */
};

/* A stack without methods yet.  `innermost` is the kind by its innermost method, WAIT_NONE if it
 * has none; `function` is the name of the native function, and may be NULL. */
struct wait_stack wait_stack_new (enum wait_kind innermost, const char *function);

/* Adds a method, from the innermost on: what begins as a wait for an event may be one for a child
 * process.  `is_inside`: wait_is_inside (method). */
void wait_stack_add (struct wait_stack *stack, const char *method, bool is_inside);

/* Whether a thread with this stack waits for work: the finalizer, a worker of the thread pool, a
 * thread of the runtime.  `function` and `thread` are names, and may be NULL. */
bool wait_stack_is_idle (const struct wait_stack *stack, const char *function, const char *thread);

/* "lock"; NULL of WAIT_NONE. */
const char *wait_kind_name (enum wait_kind kind);

#endif
