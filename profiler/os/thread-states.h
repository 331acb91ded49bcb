/* thread-states.h -- the state of a thread that waits, from the kernel. */
#ifndef PROFILER_THREAD_STATES_H
#define PROFILER_THREAD_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- calls and waits of other threads of this process ---- */

/* No lock and no malloc. */

struct thread_group {
  pid_t ids[64];
  size_t count;
};

/* Finds the threads of this name.  False if that is not possible, or if there are more than the
 * group has room for. */
bool thread_group_find (struct thread_group *group, const char *name);

/* Whether each of them waits for a condition variable: it does nothing then, and waits for no lock.
 * False where the kernel does not state that. */
bool thread_group_is_idle (const struct thread_group *group);

/* Whether a thread but the caller's runs, or would if it had a processor; also if that is not
 * known. */
bool other_threads_run (void);

/* ---- one thread ---- */

/* Where a thread waits: the call of the system, its arguments, and where it was called. */
struct thread_wait {
  long call; /* -1: unknown */
  uint64_t arguments[6];
  uint64_t sp, pc;
};

/* False if the thread runs, or would if it had a processor, or has ended. */
bool thread_wait_read (pid_t thread, struct thread_wait *wait);

/* Whether two waits look the same. */
bool thread_wait_is_same (const struct thread_wait *a, const struct thread_wait *b);

/* The effect on a wait of a signal whose handler has SA_RESTART. */
enum thread_wait_restart {
  THREAD_WAIT_RESTARTS, /* the kernel continues it: the program sees nothing */
  THREAD_WAIT_RETURNS,  /* a futex with a limit: the C library or its caller has to wait again */
  THREAD_WAIT_ENDS,     /* the program would see that */
};
enum thread_wait_restart thread_wait_restart (const struct thread_wait *wait);

/* Also if the thread has ended. */
bool thread_blocks_signal (pid_t thread, int signal);

/* ---- the file of a function of native code ---- */

/* Only one thread may call these. */

/* Reads the list of files that are mapped now.  `in_runtime` is an address in the runtime. */
void code_owner_refresh (const void *in_runtime);

/* Whether the C library was called by the runtime, as the innermost other code on the stack of a
 * thread that waits in it.  False if that is not known. */
bool code_owner_is_runtime (const struct thread_wait *wait);

#endif
