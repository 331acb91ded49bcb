/* heap-leaks.h -- suspects of leaks: where objects of growing classes accumulate.
 *
 * A class grows if there are more objects of it in nearly each of the last heap snapshots.  Its
 * objects, with all that they retain, have grown by the part of them that was not there when it
 * began.  One that is alone at its place, or far larger than those beside it, is not one of those
 * that came.  A suspect is growth in the last snapshot below one object that roots lead to, if it
 * is LEAK_SHARE of all that is alive.  Where it accumulates is found by going down the dominator
 * tree, into each object with this much growth below it, until growing objects come: each is a
 * suspect then.  In these, while nearly all of the growth is below one object, the one with the
 * most growing objects right below it is their holder.
 */
#ifndef PROFLOG_HEAP_LEAKS_H
#define PROFLOG_HEAP_LEAKS_H

#include "decoder/heap/heap-dominators.h"
#include "decoder/mlpd/query/heap-growth.h"
#include "decoder/heap/heap-paths.h"

/* Snapshots that report about growth, at least. */
#define LEAK_SHOTS_MIN 3

/* Snapshots after the one before the end of a program, at most. */
#define LEAK_SHOTS_AT_END 2

/* Of all bytes that roots lead to. */
#define LEAK_SHARE 0.05

/* Objects of a class on the ways to those of a leak (shot-leaks.c). */
struct leak_history {
  bool is_known; /* an earlier snapshot was inspected */
  bool grows;
  guint since;     /* the first snapshot of the growth, by its place in the series */
  uint64_t before; /* the number of objects in that snapshot */
  uint64_t now;
};

/* A growing class below a suspect. */
struct leak_class {
  uint32_t klass;
  uint64_t objects;
  uint64_t retained; /* by them together */
  uint32_t example;  /* one of the objects */
  struct leak_history history;
  const struct heap_series *series;
};

struct leak {
  /* Where it accumulates; HEAP_NONE: at no single object, and roots hold each by itself. */
  uint32_t holder;
  uint64_t bytes;  /* that the holder retains, or those objects do */
  uint64_t grown;  /* of that, about, without other suspects' */
  uint32_t root;   /* that leads to the holder on a shortest way, or to one of the objects */
  GArray *way;     /* of uint32_t: objects from the root's to the holder */
  GArray *tops;    /* of uint32_t: the objects, which no single object dominates; NULL: the holder
                      dominates all */
  GArray *rest;    /* of uint32_t: objects right below the holder, of no other leak; NULL: all */
  GArray *classes; /* of struct leak_class: by their retained bytes, the most first */
};

struct heap_leaks {
  GPtrArray *all; /* of struct leak: by growth, the most first */
};

/* Objects that only the calls of its first method hold are gone when a program ends, and so are
 * leaks there in a snapshot of that time: the whole snapshot to inspect in place of the last one,
 * which `last` is set to then; NULL: there is none.  It must be the builder's peak, have two whole
 * ones after it at most, and more than twice as many objects or bytes as the last, of which some
 * may be garbage. */
const struct heapshot *heap_leaks_pick_peak (const struct summary *summary,
                                             const struct heapshot **last);

/* `growth` ends with the snapshot of the graph.  `before_end`: it is one of those; then a class
 * that was as many before comes and goes. */
void heap_leaks_init (struct heap_leaks *leaks, const struct heap_graph *graph,
                      const struct heap_dominators *dominators, const struct heap_growth *growth,
                      bool before_end);
void heap_leaks_clear (struct heap_leaks *leaks);

/* All objects of a leak (of uint32_t, transfer full), in the tree of its graph's dominators. */
GArray *heap_leaks_objects (const struct leak *leak, const struct heap_tree *tree);

/* Why nothing can be stated about leaks in a snapshot (transfer full); NULL: it can. */
char *heap_leaks_unjudged (const struct heap_graph *graph, const struct heap_dominators *dominators,
                           const struct heap_growth *growth);

#endif
