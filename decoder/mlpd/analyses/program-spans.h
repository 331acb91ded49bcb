/* program-spans.h -- whether a log has spans of its program, and the hits that their processor time
 * and waits come from.
 *
 * Their costs need the events of all threads in order of time: the log is read once more for these
 * (log-passes.h).
 */
#ifndef PROFLOG_PROGRAM_SPANS_H
#define PROFLOG_PROGRAM_SPANS_H

#include "decoder/mlpd/analyses/span-costs.h"

struct program_spans {
  uint64_t edges; /* that count */
  bool has_names;
  GHashTable *hits; /* uint64_t thread -> GArray of struct span_hit; those after the first name */
  struct span_costs costs; /* in the end, if has_costs */
  bool has_costs;
};

extern const struct analysis program_spans_analysis;

#endif
