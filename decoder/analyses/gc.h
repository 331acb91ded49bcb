/* gc.h -- collections, pauses, the size of the heap, moves. */
#ifndef PROFLOG_GC_H
#define PROFLOG_GC_H

#include "decoder/analyses/threads.h"

struct gc_generation {
  uint64_t collections; /* START to END on one thread */
  uint64_t total_ns;
  uint64_t max_ns;
  uint64_t pauses; /* PRE_STOP_WORLD to POST_START_WORLD on one thread: some thread may stand */
  uint64_t pause_total_ns;
  uint64_t pause_max_ns;
};

struct gc {
  struct gc_generation generations[GC_GENERATIONS];
  uint64_t resizes;
  uint64_t max_heap_bytes;
  uint64_t moves;   /* objects */
  uint64_t ignored; /* events of generations above GC_GENERATIONS */
};

void gc_event (struct gc *gc, struct thread *thread, const struct mlpd_gc_event *event);
void gc_resize (struct gc *gc, const struct mlpd_gc_resize *event);
void gc_move (struct gc *gc, const struct mlpd_gc_move *event);

#endif
