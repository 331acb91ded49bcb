/* mono-waits.h -- the activity of each thread between its samples: with a wall clock (sample-real).
 *
 * At each tick the processor time of each thread is read.  A thread that has used none since the
 * last tick still waits in the same place, and is left alone.  One that has run and waits is
 * sampled by a signal, if the program cannot notice that, because the kernel or the C library
 * continues the wait.  Other waits are never interrupted: of them the native function is known.
 *
 * All of it runs on the ticker's thread.
 */
#ifndef PROFILER_MONO_WAITS_H
#define PROFILER_MONO_WAITS_H

#include "profiler/mono/mono-samples.h"

/* Before the first tick: the signal of samples. */
void waits_begin (int signal);

/* A sample that a handler has taken: writes it with its usage. */
void waits_note_sample (struct sample *sample);

/* At each tick, after the samples were noted.  Returns the ns of the processor that it has used. */
uint64_t waits_check (void);

/* ---- the stacks of all threads now ---- */

/* Stacks as they were found; free with waits_free_stacks. */
struct waits_stacks {
  size_t thread_count, frame_count;
  struct waits_thread {
    uint64_t thread;
    pid_t tid;
    enum { WAITS_UNKNOWN, WAITS_RUNS, WAITS_WAITS } state;
    char name[64];
    size_t first, frames; /* of the list of all frames: innermost first */
  } * threads;
  char **frames;
  size_t lock_count; /* threads that wait for locks, and are known to */
  struct waits_lock {
    uint64_t thread, lock, owner; /* the owner: 0 if it is unknown */
    unsigned deadlock;            /* the number of the deadlock that the wait is in; 0: none */
    char *type;                   /* of the lock */
  } * locks;
};

/* From any thread but the ticker's, one after the other: the stacks of all threads.  Threads that
 * run are sampled by their processor time, which takes some ms.  NULL without memory, or if the
 * ticker does not answer. */
struct waits_stacks *waits_find_stacks (void);
void waits_free_stacks (struct waits_stacks *stacks);

/* Whether stacks are waited for: without a wall clock the threads are to be inspected now. */
bool waits_are_wanted (void);

/* At each tick, and after each sample: answers a request for stacks. */
void waits_answer (void);

/* Nothing is recorded for a while. */
void waits_pause (void);

/* At the end: all waits that are not in the log. */
void waits_finish (void);

#endif
