/* mlpd-check-marks.h -- compares buffers with the sums that follow them (MLPD_CHECK_BASE).
 *
 * A buffer that was changed may decode all the same, with other figures.  So a reader that has to
 * verify reports damage of no bytes for each buffer that is not as it was written, and where marks
 * are missing.  Logs without marks have none to compare with.
 */
#ifndef PROFLOG_MLPD_CHECK_MARKS_H
#define PROFLOG_MLPD_CHECK_MARKS_H

#include <proflog/content-sum.h>
#include <proflog/mlpd-reader.h>
#include <stdbool.h>

#define MLPD_MARK_UNKNOWN UINT64_MAX

/* Of the bytes before a mark. */
struct mlpd_marked {
  bool has_sum;           /* directly before it is a whole buffer without damage */
  uint64_t offset;        /* of that */
  struct content_sum sum; /* of that */
  uint64_t number;        /* of the mark before; 0: there was none; MLPD_MARK_UNKNOWN */
};

/* May a mark of this number be the next one?  Each file of a log, and each reader's log, begins
 * with number 1. */
static inline bool
mlpd_marked_has_next (const struct mlpd_marked *before, uint64_t number)
{
  return before->number == MLPD_MARK_UNKNOWN || number == before->number + 1 || number == 1;
}

/* From now on; before anything is pushed. */
void mlpd_reader_verify (struct mlpd_reader *reader);

/* After bytes that were passed (mlpd_reader_pass), this is before the bytes that are pushed next.
 */
void mlpd_reader_pass_marked (struct mlpd_reader *reader, const struct mlpd_marked *last);

/* That before the next bytes to be pushed; a reader that does not verify knows of none. */
const struct mlpd_marked *mlpd_reader_marked (const struct mlpd_reader *reader);

#endif
