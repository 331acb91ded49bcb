/* log-recovery.h -- what the spool (proflog/spool.h) beside a log adds to it.
 *
 * Not thread safe; different ones are independent.
 */
#ifndef PROFLOG_LOG_RECOVERY_H
#define PROFLOG_LOG_RECOVERY_H

#include "decoder/input/spool-reader.h"

#include <stdbool.h>
#include <stdint.h>

/* What a spool beside the log came to. */
struct log_input_recovery {
  const char *message; /* for people: what was recovered, or why nothing was; the recovery's */
  bool is_loss;        /* something is missing because of that */
  bool is_taken;       /* the log is read with what the spool has */
  long writer; /* the process that is still writing the log, to which that is left; 0: none */
};

struct log_recovery {
  bool has_rest; /* the log is that of the share */
  struct spool_share share;
  bool is_eventlog;
  bool is_alone; /* the file is the spool itself: all of the log is in the rest */
  char *message; /* NULL: there is no spool */
  struct log_input_recovery result;
};

/* Searches for the spool of the regular file `path`, which has `size` bytes; `is_plain`: of a log
 * that is not compressed.  `spool`: where it lies, NULL if beside the file, or it is that.  Free
 * what is found with log_recovery_clear. */
void log_recovery_find (struct log_recovery *recovery, const char *path, const char *spool,
                        uint64_t size, bool is_plain);
void log_recovery_clear (struct log_recovery *recovery);

#endif
