/* gc.h -- collections, pauses, the size of the heap, moves.
 *
 * A collection is counted where it starts and lasts from START to END of its generation on one
 * thread; generations may nest.  A pause is the time of the program that it costs: from
 * PRE_STOP_WORLD, when threads begin to be stopped, to POST_START_WORLD, when all run again.  It
 * belongs to the generation of the event that ends it.
 *
 * A pause has three phases: the threads are stopped (up to POST_STOP_WORLD), objects are collected
 * (up to PRE_START_WORLD), the threads are started again.  A pause that lacks one of these events
 * has no phases.
 *
 * Pauses and resizes of different threads stand in any order in the log.  So each is retained, in
 * 24 and 16 bytes, and they are sorted at the end; endless streams have neither utilisation nor
 * sizes of the heap.
 */
#ifndef PROFLOG_GC_H
#define PROFLOG_GC_H

#include "decoder/core/durations.h"
#include "decoder/core/heap-sizes.h"
#include "decoder/core/utilisation.h"
#include "decoder/mlpd/model/threads.h"

enum gc_phase { GC_PHASE_STOP, GC_PHASE_COLLECT, GC_PHASE_RESTART, GC_PHASES };

struct gc_phase_sum {
  uint64_t count;
  uint64_t total_ns;
  uint64_t max_ns;
};

struct gc_generation {
  uint64_t collections;
  uint64_t total_ns;
  uint64_t max_ns;
  struct durations pauses;
  struct heap_sizes heap; /* its size at the beginning and the end of these */
};

struct gc {
  struct gc_generation generations[GC_GENERATIONS];
  struct gc_phase_sum phases[GC_PHASES];
  struct utilisation utilisation;
  GArray *stops; /* of struct gc_stop: the pauses; NULL: of an endless stream, or done */
  GArray *sizes; /* of struct gc_size: the resizes; likewise */
  uint64_t resizes;
  uint64_t max_heap_bytes;
  uint64_t moves;   /* objects */
  uint64_t events;  /* phases of collections */
  uint64_t ignored; /* those of generations above GC_GENERATIONS */
};

extern const struct analysis gc_analysis;

void gc_init (struct gc *gc, bool is_bounded);
void gc_clear (struct gc *gc);

void gc_event (struct gc *gc, struct thread *thread, const struct mlpd_gc_event *event);

#endif
