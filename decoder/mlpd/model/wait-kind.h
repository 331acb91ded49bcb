/* wait-kind.h -- the kind of a thread's wait, by the native code that it waits in. */
#ifndef PROFLOG_WAIT_KIND_H
#define PROFLOG_WAIT_KIND_H

#include <stdbool.h>

enum wait_kind {
  WAIT_NONE,  /* it works */
  WAIT_LOCK,  /* until another thread leaves a thing for one at a time: a monitor, a mutex */
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

/* Whether a method belongs to the library's waiting itself, and not to the code that waits: a
 * wrapper, or a method of locks, threads, files and sockets. */
bool wait_is_inside (const char *method);

/* "lock"; NULL of WAIT_NONE. */
const char *wait_kind_name (enum wait_kind kind);

/* "waits for a signal": what a thread does that waits. */
const char *wait_kind_sentence (enum wait_kind kind);

#endif
