/* program-marks.h -- marks that `proflog ctl PID mark NAME` or the program itself set: counters
 * whose names begin with MLPD_MARK.
 */
#ifndef PROFLOG_PROGRAM_MARKS_H
#define PROFLOG_PROGRAM_MARKS_H

#include "decoder/filter/mark-search.h"

struct program_marks {
  struct marks marks;
  GHashTable *names;          /* uint64_t index of the counter -> name of the mark */
  struct mark_search *search; /* gets those that are not selected; borrowed; NULL: none */
};

#endif
