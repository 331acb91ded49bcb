/* program-marks.h -- marks that `proflog ctl PID mark NAME` or the program itself set: counters
 * whose names begin with MLPD_MARK.
 */
#ifndef PROFLOG_PROGRAM_MARKS_H
#define PROFLOG_PROGRAM_MARKS_H

#include "decoder/filter/mark-search.h"
#include <proflog/mlpd.h>

struct program_marks {
  struct marks marks;
  GHashTable *names;          /* uint64_t index of the counter -> name of the mark */
  struct mark_search *search; /* gets those that are not selected; borrowed; NULL: none */
};

extern const struct analysis program_marks_analysis;

/* Counters that are marks: uint64_t index of the counter -> name of the mark (transfer full). */
GHashTable *program_marks_counters_new (void);

/* Adds those that an event describes.  An index may be described anew, as another mark in another
 * file of the log. */
void program_marks_describe (GHashTable *counters, const struct mlpd_sample_counters_desc *event);

#endif
