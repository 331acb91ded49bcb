/* merge.h -- merges scans of a log into the analyses, in file order. */
#ifndef PROFLOG_MERGE_H
#define PROFLOG_MERGE_H

#include "decoder/mlpd/analyses/dispatch.h"

/* Begins the merge of a scan: its addresses and thread ids get the meaning that they have in the
 * model when the scan sees them, and the events that it has retained go to the analyses one by one.
 * Then `scan` is complete, until merge_end. */
void merge_begin (struct analysis_scan *merged, const struct analysis_model *model,
                  const struct dispatch *dispatch, const struct scan *scan);
void merge_end (struct analysis_scan *merged);

#endif
