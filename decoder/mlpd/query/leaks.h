/* leaks.h -- objects that grow in number from one heap snapshot to the next, and their causes. */
#ifndef PROFLOG_LEAKS_H
#define PROFLOG_LEAKS_H

#include "decoder/mlpd/query/heap-leaks.h"
#include <glib.h>
#include <stdint.h>

/* ---- leaks in the snapshot of a log that shows them best ---- */

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

/* Does anything grow, by the figures of a finished summary?  Else there is no suspect. */
bool shot_leaks_may_be (const struct summary *summary);

/* ---- places of allocation of most objects of a suspect ---- */

/* Of the class that is named, the suspect's own objects. */
struct leak_site {
  uint64_t known; /* whose allocations are in the log */
  uint64_t count; /* of these, in the place of most */
  guint trace;    /* its backtrace */
};

/* ---- leaks of one shape, as one suspect ---- */

/* Leaks are alike if a root of the same kind and name leads to them through objects of the same
 * classes, and the same growing class retains most in each. */

struct leak_suspect {
  GPtrArray *alike; /* of const struct leak, borrowed: by growth, the most first */
  uint64_t bytes, grown;
  GArray *classes; /* of struct leak_class: those of all together, by their retained bytes */
  guint own;       /* place of the class to name: one of the program itself, if it retains enough */
};

/* The suspects, by growth, the most first (of struct leak_suspect; transfer full).  The leaks must
 * stay as long. */
GPtrArray *leak_suspects_new (const struct heap_leaks *leaks, const struct heap_graph *graph);

/* The class to name; NULL: none grows at the place itself. */
const struct leak_class *leak_suspect_own (const struct leak_suspect *suspect);

#endif
