/* pending-calls.h -- the calls of a thread that have not proved to be long yet (calls=TIME).
 *
 * The enter of a call is recorded late: when the call has lasted for the threshold, or a call in it
 * has, or another event is recorded in it.  It has its own time, and events stay in order, as
 * nothing is recorded while it is pending.  The pending calls are the innermost ones of the stack.
 * A call that ends before is skipped: counted only.  late-calls.c records them.
 *
 * Only its thread changes a struct pending_calls.  The writer reads the atomic members at the end.
 */
#ifndef PROFILER_PENDING_CALLS_H
#define PROFILER_PENDING_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A method that the thread has entered. */
struct timed_method {
  uint64_t method;  /* 0: none */
  uint32_t streak;  /* calls that were timed and short, one after the other */
  uint32_t untimed; /* the number of next calls that are not timed */
};

/* A cache: a method that shares its place with another one is forgotten. */
#define TIMED_METHODS_BITS 13
#define TIMED_METHODS ((size_t) 1 << TIMED_METHODS_BITS)

/* All 0 at first. */
struct pending_calls {
  uint64_t *starts; /* of each frame of the call stack; 0: not known; NULL: no memory yet */
  struct timed_method *methods;
  size_t recorded;        /* frames whose enter is recorded: all outside of the pending ones */
  _Atomic uint64_t count; /* of the pending ones */
  uint64_t last;          /* time that was read last */
  _Atomic uint64_t skipped;
  _Atomic uint64_t stated; /* of the skipped ones: those that the thread's events state */
  uint64_t stated_at;
};

/* Relaxed: the writer's sum of these is exact only if the thread does not run. */
static inline uint64_t
pending_calls_get (const _Atomic uint64_t *figure)
{
  return atomic_load_explicit (figure, memory_order_relaxed);
}

static inline void
pending_calls_add (_Atomic uint64_t *figure, uint64_t change)
{
  atomic_store_explicit (figure, pending_calls_get (figure) + change, memory_order_relaxed);
}

/* The place of a method. */
static inline struct timed_method *
pending_calls_place (const struct pending_calls *calls, uint64_t method)
{
  return &calls->methods[method * UINT64_C (0x9e3779b97f4a7c15) >> (64 - TIMED_METHODS_BITS)];
}

/* Memory for times and methods; false without. */
bool pending_calls_make (struct pending_calls *calls);

/* All frames end, of this thread or of the one that had the recorder before; nothing is counted. */
void pending_calls_clear (struct pending_calls *calls);

/* The skipped calls that are not stated in the thread's events, and never will be, if the thread
 * records no more. */
uint64_t pending_calls_unstated (const struct pending_calls *calls);

#endif
