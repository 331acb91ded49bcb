/* log-selection.h -- reads the part of a log that is asked for into a summary.
 *
 * Of a plain file first the headers of its buffers are read, then the buffers that may hold what is
 * asked for, and at last, if names are still missing, the others up to where they are found.  Where
 * headers cannot tell that, there is first a quick way through all buffers (buffer-marks.h).  A log
 * that cannot be read anywhere is read from end to end, and twice where what is asked for cannot be
 * told at first: threads by their names, times in percent.
 */
#ifndef PROFLOG_LOG_SELECTION_H
#define PROFLOG_LOG_SELECTION_H

#include "decoder/analyses/log-scan.h"

/* Like log_scan (log-scan.h). */
bool log_selection_scan (struct summary *summary, struct log_input *input, unsigned threads,
                         const struct selection *selection, const struct log_scan_watch *watch,
                         GError **error);

/* Finds out what a selection means in a log, for those who read the log by themselves: which is
 * then at its beginning.  `choice` was initialised without an index. */
bool log_selection_survey (struct buffer_choice *choice, struct log_input *input, GError **error);

#endif
