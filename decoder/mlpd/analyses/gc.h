/* gc.h -- collections, pauses, the size of the heap, moves.
 *
 * A collection is counted where it starts and takes from START to END of its generation on one
 * thread; generations may nest.  A pause is what the program feels of it: from PRE_STOP_WORLD, when
 * threads begin to be stopped, to POST_START_WORLD, when all run again.  It belongs to the
 * generation of the event that ends it.
 */
#ifndef PROFLOG_GC_H
#define PROFLOG_GC_H

#include "decoder/mlpd/model/threads.h"

struct gc_generation {
  uint64_t collections;
  uint64_t total_ns;
  uint64_t max_ns;
  uint64_t pauses;
  uint64_t pause_total_ns;
  uint64_t pause_max_ns;
};

struct gc {
  struct gc_generation generations[GC_GENERATIONS];
  uint64_t resizes;
  uint64_t max_heap_bytes;
  uint64_t moves;   /* objects */
  uint64_t events;  /* phases of collections */
  uint64_t ignored; /* those of generations above GC_GENERATIONS */
};

void gc_event (struct gc *gc, struct thread *thread, const struct mlpd_gc_event *event);
void gc_resize (struct gc *gc, const struct mlpd_gc_resize *event);

#endif
