/* heap-builder.h -- retains the heap snapshots that are requested while a log is read, and makes
 * graphs of them.
 *
 * Objects may be referred to before they are described, and references of an object may be in
 * several records; so a snapshot is retained, packed, until its end.  Names may come later still;
 * so graphs are made after the last event.
 */
#ifndef PROFLOG_HEAP_BUILDER_H
#define PROFLOG_HEAP_BUILDER_H

#include "decoder/heap/heap-changes.h"
#include "decoder/heap/heap-graph.h"
#include "decoder/mlpd/analyses/heapshots.h"

/* Which snapshots are retained. */
struct shot_selection {
  bool all;
  bool last;            /* the last one that is whole; if none is, the last */
  const guint *indexes; /* and these, counted from 1 */
  guint n_indexes;
  bool peak; /* and, with `last`, the one before the heap shrank, if it did: heap_builder_peak */
  /* Some of the earlier ones that are whole, among them the first, at even distances:
   * heap_builder_earlier. */
  bool earlier;
  bool moves; /* of objects, too, from the first of these indexes to the last of all */
};

struct heap_builder {
  const struct shot_selection *selection; /* borrowed; NULL: none is requested */
  GPtrArray *shots;                       /* of struct open_graph, in order */
  guint ended;                            /* the snapshot that did so last; 0: none */
  guint peak;                             /* retained; 0: none */
  uint64_t peak_objects, peak_bytes;
  guint whole;             /* snapshots that ended and are whole */
  guint whole_stride;      /* one of this number is retained, if earlier ones are requested */
  struct heap_moves moves; /* if they are requested */
};

extern const struct analysis heap_builder_analysis;

/* The indexes of earlier snapshots that are retained, which are before this one, in order (transfer
 * full, of guint). */
GArray *heap_builder_earlier (const struct heap_builder *builder, guint index);

/* Objects of it; `types` translates their types, of which there are `n_types` so far. */
void heap_builder_merge (struct heap_builder *builder, const struct heapshot *shot,
                         const struct scan_heap *scanned, const guint *types, guint n_types);

/* The last whole snapshot before the heap shrank by far, in objects or bytes, and stayed so: each
 * that is not smaller by far replaces the one before.  0: none is retained. */
guint heap_builder_peak (const struct heap_builder *builder);

/* After the last event, with names resolved: the graph of the snapshot with this index (0: of the
 * last whole one, or the last); NULL if it was not retained.  Its retained parts are discarded.
 * Free it with heap_graph_free. */
struct heap_graph *heap_builder_build (struct heap_builder *builder, struct symbols *symbols,
                                       const struct threads *threads, guint index);

#endif
