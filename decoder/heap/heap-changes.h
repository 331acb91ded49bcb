/* heap-changes.h -- changes of a heap between two of its snapshots. */
#ifndef PROFLOG_HEAP_CHANGES_H
#define PROFLOG_HEAP_CHANGES_H

#include "decoder/heap/heap-dominators.h"
#include "decoder/heap/heap-graph.h"
#include <glib.h>
#include <proflog/mlpd.h>

/* ---- objects that the collector moves, for code that follows them ---- */

/* The objects of one event move at once: a new address may be another's old one.  So all leave
 * their places before any arrives at its new one. */

struct object_mover {
  gpointer (*leave) (void *data, guint nth); /* object at the old address; NULL: none */
  void (*arrive) (void *data, gpointer moved, guint nth); /* at the new one */
  void *data;
};

/* The moves of one event, `n` of them. */
void object_moves_apply (const struct object_mover *mover, guint n);

/* ---- objects of a heap snapshot in a later one ---- */

/* Collections move objects, and the log states that unless it was recorded without.  An object is
 * where it was, or where the last move brought it; if another one was moved to its place it is
 * gone.  What is allocated in the place of one that is gone, of the same class, cannot be
 * distinguished from it without such a move. */

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

/* ---- new, dead and grown objects between two heap snapshots ---- */

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

/* The graphs, and their dominators, must stay as long.  `moves` NULL: they are of two runs, so no
 * object is in both; nothing has come or gone then. */
void heap_diff_init (struct heap_diff *diff, const struct heap_moves *moves,
                     const struct heap_graph *before,
                     const struct heap_dominators *dominated_before, const struct heap_graph *now,
                     const struct heap_dominators *dominated_now);
void heap_diff_clear (struct heap_diff *diff);

#endif
