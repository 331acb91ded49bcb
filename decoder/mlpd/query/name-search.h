/* name-search.h -- searches for names that are missing in the buffers that were passed. */
#ifndef PROFLOG_NAME_SEARCH_H
#define PROFLOG_NAME_SEARCH_H

#include "decoder/mlpd/analyses/summary.h"
#include "decoder/input/log-input.h"

/* Reads the buffers of the filter's index that were passed, in order, until all that the summary
 * uses has a name; for names of threads only the first buffer of each, which mostly states it.
 * What is wrong in them is no one's concern.  Before summary_finish. */
void name_search (struct summary *summary, struct log_input *input,
                  const struct buffer_filter *filter);

#endif
