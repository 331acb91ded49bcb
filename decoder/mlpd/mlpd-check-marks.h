/* mlpd-check-marks.h -- compares buffers with the sums that follow them (MLPD_CHECK_BASE).
 *
 * A buffer that was changed may decode all the same, with other figures.  So a reader that has to
 * verify reports damage of no bytes for each buffer that is not as it was written, and where marks
 * are missing.  Logs without marks have none to compare with.
 */
#ifndef PROFLOG_MLPD_CHECK_MARKS_H
#define PROFLOG_MLPD_CHECK_MARKS_H

#include <proflog/mlpd-reader.h>

/* From now on; before anything is pushed. */
void mlpd_reader_verify (struct mlpd_reader *reader);

#endif
