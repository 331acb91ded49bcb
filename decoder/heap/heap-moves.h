/* heap-moves.h -- where the objects of a heap snapshot are in a later one.
 *
 * Collections move objects, and the log states that unless it was recorded without.  An object is
 * where it was, or where the last move brought it; if another one was moved to its place it is
 * gone.  What is allocated in the place of one that is gone, of the same class, cannot be
 * distinguished from it without such a move.
 */
#ifndef PROFLOG_HEAP_MOVES_H
#define PROFLOG_HEAP_MOVES_H

#include "decoder/heap/heap-graph.h"
#include <proflog/mlpd.h>

struct heap_move {
  uint64_t from, to;
};

/* Moves of one event. */
struct heap_move_event {
  guint after; /* the heap snapshot that ended last; 0: none */
  guint first; /* of `moves` */
  guint n;
};

struct heap_moves {
  GArray *events; /* of struct heap_move_event, in file order */
  GArray *moves;  /* of struct heap_move */
};

void heap_moves_init (struct heap_moves *moves);
void heap_moves_clear (struct heap_moves *moves);

/* An event: old and new address of each object in turn. */
void heap_moves_add (struct heap_moves *moves, guint after, struct mlpd_list addresses);

/* The object of `now` that each of `before` is, by object; HEAP_NONE: it is gone (transfer full).
 * Both have their snapshot's index, `before` the smaller one.  *n_moved is how many have another
 * address. */
uint32_t *heap_moves_follow (const struct heap_moves *moves, const struct heap_graph *before,
                             const struct heap_graph *now, uint32_t *n_moved);

#endif
