/* heap-predecessors.h -- what refers to each object of a heap graph, as dominators are found of it.
 *
 * References are turned round while a depth-first search (heap-search.h) is on, since that is slow
 * and waits for memory.  Then its numbers are known, and are used from the last to the first, in
 * blocks: one thread makes these, another consumes them as they come.
 */
#ifndef PROFLOG_HEAP_PREDECESSORS_H
#define PROFLOG_HEAP_PREDECESSORS_H

#include "decoder/heap/heap-search.h"
#include <pthread.h>

/* Numbers of a block. */
#define HEAP_BLOCK (1u << 13)

/* There are this many zeros after the last of `later`, for those that read ahead. */
#define HEAP_BLOCK_AHEAD 40

/* Of the numbers `from` up to `end`, without that, but 0. */
struct heap_block {
  uint32_t from, end;
  uint32_t *smallest; /* by number less `from`: the smallest that refers to it, 0 for roots */
  uint32_t *later;    /* of the last number, of the one before it ...: those that refer to it and
                         have greater numbers; none for what roots hold, for which 0 is enough */
  uint32_t *ends;     /* by number less `from`: after its own in `later` */
};

struct heap_predecessors {
  const struct heap_graph *g;
  const struct heap_search *search;

  /* By object, which have one more: its own are sources[first[object]] to first[object + 1]. */
  uint32_t *first;
  uint32_t *sources;

  struct heap_block *blocks; /* by number / HEAP_BLOCK */
  uint32_t n_blocks;
  uint32_t *gathered; /* while a block is made */
  size_t room;

  bool is_helped; /* by a thread, which turns references, or makes blocks */
  pthread_t helper;
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t changed;
  uint32_t left; /* blocks that are not made */
};

/* Begins to turn the references round. */
void heap_predecessors_start (struct heap_predecessors *predecessors,
                              const struct heap_graph *graph);

/* The search is done: begins to make blocks of its numbers, from the last on. */
void heap_predecessors_number (struct heap_predecessors *predecessors,
                               const struct heap_search *search);

/* A block, when it is made: the last first, and so on.  The predecessors' until they are cleared or
 * the next one is requested. */
const struct heap_block *heap_predecessors_next_block (struct heap_predecessors *predecessors,
                                                       uint32_t block);

/* When all blocks were consumed. */
void heap_predecessors_clear (struct heap_predecessors *predecessors);

#endif
