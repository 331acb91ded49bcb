/* thread-usage.h -- the processor time that a thread uses between two moments.
 *
 * All of it may be called from a handler of a signal.
 */
#ifndef PROFILER_THREAD_USAGE_H
#define PROFILER_THREAD_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct thread_usage {
  uint64_t elapsed; /* ns */
  uint64_t cpu;     /* ns of these in which the thread ran */
};

/* An interval of this thread begins. */
void thread_usage_begin (void);

/* The usage of this thread since its interval began; the interval continues.  False if none began,
 * or if it began before all intervals were dropped. */
bool thread_usage_read (struct thread_usage *usage);

/* Drops the intervals of all threads. */
void thread_usage_drop_all (void);

#endif
