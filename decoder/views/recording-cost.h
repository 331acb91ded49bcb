/* recording-cost.h -- the text about the time that the recording itself took (recording.h). */
#ifndef PROFLOG_RECORDING_COST_H
#define PROFLOG_RECORDING_COST_H

#include "decoder/mlpd/analyses/summary.h"

/* Does the program run so much slower that its rates are those of another program? */
bool recording_cost_is_large (const struct summary *s);

/* Options of `proflog run` that record less of the same; NULL: there are none. */
const char *recording_cost_advice (const struct summary *s);

#endif
