/* select.h -- reads the part of a log that is requested into a summary.
 *
 * Of a plain file first the headers of its buffers are read, then the buffers that may hold
 * requested events, and at last, if names are still missing, the others up to where they are found.
 * Where headers cannot state that, there is first a quick way through all buffers (buffer-flags.c).
 * A log that cannot be read anywhere is read from end to end, and twice where the request cannot be
 * resolved at first: threads by their names, times in percent, marks.
 */
#ifndef PROFLOG_SELECT_H
#define PROFLOG_SELECT_H

#include "decoder/mlpd/query/scan-log.h"

/* Like log_scan (scan-log.h). */
bool log_selection_scan (struct summary *summary, struct log_input *input, unsigned threads,
                         const struct selection *selection, const struct log_scan_watch *watch,
                         GError **error);

/* Resolves a selection for a log, for those that read the log by themselves: which is then at its
 * beginning.  `filter` was initialised without an index. */
bool log_selection_survey (struct buffer_filter *filter, struct log_input *input, GError **error);

#endif
