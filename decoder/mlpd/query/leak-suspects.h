/* leak-suspects.h -- leaks of one shape, as one suspect.
 *
 * Leaks are alike if a root of the same kind and name leads to them through objects of the same
 * classes, and the same growing class retains most in each.
 */
#ifndef PROFLOG_LEAK_SUSPECTS_H
#define PROFLOG_LEAK_SUSPECTS_H

#include "decoder/mlpd/query/heap-leaks.h"

struct leak_suspect {
  GPtrArray *alike; /* of const struct leak, borrowed: by what has grown, the most first */
  uint64_t bytes, grown;
  GArray *classes; /* of struct leak_class: those of all together, by what they retain */
  guint own;       /* place of the class to name: one of the program itself, if it retains enough */
};

/* The suspects, by what has grown, the most first (of struct leak_suspect; transfer full).  The
 * leaks must stay as long. */
GPtrArray *leak_suspects_new (const struct heap_leaks *leaks, const struct heap_graph *graph);

/* The class to name; NULL: none grows at the place itself. */
const struct leak_class *leak_suspect_own (const struct leak_suspect *suspect);

#endif
