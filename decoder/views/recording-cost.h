/* recording-cost.h -- the text about the time that the recording itself took (recording.h). */
#ifndef PROFLOG_RECORDING_COST_H
#define PROFLOG_RECORDING_COST_H

#include "decoder/mlpd/analyses/summary.h"

/* Does the program run so much slower that its rates are those of another program? */
bool recording_cost_is_large (const struct summary *s);

/* Do the log's samples measure the time of the recording? */
bool recording_cost_is_known (const struct summary *s);

/* The time, and its share of all processor time (transfer full). */
char *recording_cost_text (const struct summary *s);

/* Options of `proflog run` that record less of the same; NULL: there are none. */
const char *recording_cost_advice (const struct summary *s);

#endif
