/* leak-history.h -- how many objects of a suspect there were in earlier heap snapshots.
 *
 * A class may grow in one place and stay as it is in another, as a cache that is full.  So of a
 * suspect only its own objects count.  Which objects of earlier snapshots are in the same place is
 * known from the way from a root to them: the root, and the classes on it, each once.
 */
#ifndef PROFLOG_LEAK_HISTORY_H
#define PROFLOG_LEAK_HISTORY_H

#include "decoder/mlpd/query/heap-leaks.h"

/* Counts the objects of the leaks in their own snapshot and in earlier ones (of struct heap_graph,
 * in order), and removes classes, and leaks, that have not grown to the end in these.  `growth`
 * ends with the snapshot of the graph. */
void leak_history_apply (struct heap_leaks *leaks, const struct heap_graph *graph,
                           const struct heap_dominators *dominators,
                           const struct heap_growth *growth, const GPtrArray *earlier);

#endif
