/* heap-diff.h -- what came, went and grew from one heap snapshot to another. */
#ifndef PROFLOG_HEAP_DIFF_H
#define PROFLOG_HEAP_DIFF_H

#include "decoder/heap/heap-dominators.h"
#include "decoder/heap/heap-moves.h"

struct heap_sum {
  uint64_t objects;
  uint64_t bytes;
};

/* Of a class, by name and image. */
struct heap_change {
  const char *name;
  const char *image; /* NULL: unknown */
  struct heap_sum before, now;
  struct heap_sum come; /* objects that were not there before */
  struct heap_sum gone;
  struct heap_sum
      other_size; /* objects that were there and now have more bytes: by this many more */
  uint64_t retained_before, retained_now;
};

struct heap_diff {
  GArray *classes;   /* of struct heap_change */
  uint32_t followed; /* objects that are in both */
  uint32_t moved;    /* of these, that have another address */
};

/* The graphs, and their dominators, must stay as long. */
void heap_diff_init (struct heap_diff *diff, const struct heap_moves *moves,
                     const struct heap_graph *before,
                     const struct heap_dominators *dominated_before, const struct heap_graph *now,
                     const struct heap_dominators *dominated_now);
void heap_diff_clear (struct heap_diff *diff);

#endif
