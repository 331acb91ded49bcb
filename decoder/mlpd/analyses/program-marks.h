/* program-marks.h -- marks that `proflog ctl PID mark NAME` or the program itself set: counters
 * whose names begin with MLPD_MARK.
 */
#ifndef PROFLOG_PROGRAM_MARKS_H
#define PROFLOG_PROGRAM_MARKS_H

#include "decoder/core/marks.h"

struct program_marks {
  struct marks marks;
  GHashTable *names; /* uint64_t index of the counter -> name of the mark */
};

#endif
