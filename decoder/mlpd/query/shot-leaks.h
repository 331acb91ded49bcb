/* shot-leaks.h -- searches for leaks in the snapshot of a log that shows them best. */
#ifndef PROFLOG_SHOT_LEAKS_H
#define PROFLOG_SHOT_LEAKS_H

#include "decoder/mlpd/query/heap-leaks.h"

struct shot_leaks {
  struct heap_graph *graph; /* the snapshot that is inspected */
  struct heap_dominators *dominators;
  struct heap_growth growth; /* up to it */
  struct heap_leaks leaks;
  const struct heapshot *skipped_shot; /* the last one, if that is inspected no more; NULL: none */
};

/* Inspects a snapshot of a finished summary, which must stay as long, and whose builder has it; 0:
 * the last, or the peak before the end of the program if that has suspects.  False if there is
 * none; then nothing is to be cleared. */
bool shot_leaks_init (struct shot_leaks *leaks, struct summary *summary, guint shot);
void shot_leaks_clear (struct shot_leaks *leaks);

#endif
