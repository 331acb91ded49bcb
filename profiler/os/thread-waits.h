/* thread-waits.h -- what other threads of this process do or wait for, as the kernel states it.
 *
 * No lock and no malloc.
 */
#ifndef PROFILER_THREAD_WAITS_H
#define PROFILER_THREAD_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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

#endif
