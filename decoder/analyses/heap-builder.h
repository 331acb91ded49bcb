/* heap-builder.h -- keeps the heap shots that are asked for while a log is read, and makes graphs
 * of them.
 *
 * Objects may be referred to before they are described, and references of an object may be in
 * several records; so a shot is kept, packed, until its end.  Names may come later still; so graphs
 * are made after the last event.
 */
#ifndef PROFLOG_HEAP_BUILDER_H
#define PROFLOG_HEAP_BUILDER_H

#include "decoder/analyses/heap-graph.h"
#include "decoder/analyses/heap-moves.h"
#include "decoder/analyses/heapshots.h"

/* Which shots are kept. */
struct heap_choice {
  bool all;
  bool last;            /* the last one that is whole; if none is, the last */
  const guint *indexes; /* and these, counted from 1 */
  guint n_indexes;
  bool peak;  /* and, with `last`, the one before the heap shrank, if it did: heap_builder_peak */
  bool moves; /* of objects, too, between the first and the last of these indexes */
};

struct heap_builder {
  const struct heap_choice *choice; /* borrowed; NULL: none is asked for */
  GPtrArray *shots;                 /* of struct kept_shot, in order */
  guint ended;                      /* the shot that did so last; 0: none */
  guint peak;                       /* kept; 0: none */
  uint64_t peak_objects, peak_bytes;
  struct heap_moves moves; /* if they are asked for */
};

void heap_builder_init (struct heap_builder *builder, const struct heap_choice *choice);
void heap_builder_clear (struct heap_builder *builder);

/* A shot begins. */
void heap_builder_start (struct heap_builder *builder, const struct heapshot *shot,
                         unsigned version, const struct roots *roots, struct symbols *symbols);

/* Objects of it; `types` translates their types, of which there are `n_types` so far. */
void heap_builder_merge (struct heap_builder *builder, const struct heapshot *shot,
                         const struct scan_heap *scanned, const guint *types, guint n_types);

/* It ends, or is cut because something else begins; the roots are those met so far. */
void heap_builder_end (struct heap_builder *builder, const struct heapshot *shot,
                       enum heapshot_state state, const struct roots *roots,
                       struct symbols *symbols);

/* Objects were moved: old and new address of each in turn. */
void heap_builder_moved (struct heap_builder *builder, struct mlpd_list addresses);

/* The last whole shot before the heap shrank by far, in objects or bytes, and stayed so: each that
 * is not smaller by far takes the place of the one before.  0: none is kept. */
guint heap_builder_peak (const struct heap_builder *builder);

/* After the last event, with names resolved: the graph of the shot with this index (0: of the last
 * whole one, or the last); NULL if it was not kept.  What was kept of it is given up.  Free it with
 * heap_graph_free. */
struct heap_graph *heap_builder_make (struct heap_builder *builder, struct symbols *symbols,
                                      const struct threads *threads, guint index);

#endif
