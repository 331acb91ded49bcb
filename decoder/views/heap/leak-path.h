/* leak-path.h -- how roots lead to a suspected leak, in a line. */
#ifndef PROFLOG_LEAK_PATH_H
#define PROFLOG_LEAK_PATH_H

#include "decoder/mlpd/query/leak-suspects.h"

/* "static: Static Fields of Cache -> Dictionary<String,Session> -> Entry[] x4 -> Session x8000"
 * (transfer full) */
char *leak_path_text (const struct heap_graph *graph, const struct heap_dominators *dominators,
                      const struct leak_suspect *suspect);

#endif
