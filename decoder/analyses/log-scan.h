/* log-scan.h -- reads a log into a summary: whole buffers on all cores, what is odd by the reader.
 */
#ifndef PROFLOG_LOG_SCAN_H
#define PROFLOG_LOG_SCAN_H

#include "decoder/analyses/summary.h"
#include "decoder/formats/log-input.h"

/* More would need memory that no log is worth. */
#define LOG_SCAN_THREADS_MAX 8

/* What is called while reading, on the caller's thread. */
struct log_scan_watch {
  void (*item) (void *data, const struct mlpd_item *item); /* headers and damage, at least */
  void (*progress) (void *data, uint64_t bytes);           /* of the log, merged so far */
  void *data;
};

/* Reads a log to its end; `threads` scan (0: as many as there are cores).  The summary is not
 * finished.  False with an error of the input or the reader; what came before is in the summary.
 * The figures are the same for any number of threads. */
bool log_scan (struct summary *summary, struct log_input *input, unsigned threads,
               const struct log_scan_watch *watch, GError **error);

struct log_scan_sizes {
  size_t stretch; /* bytes of a stretch (stretches.h) at most; at least STRETCH_BYTES_MIN */
  size_t piece;   /* that are read of it at once; at least 1 */
  size_t kept;    /* memory of what scans keep for the merge, beyond which stretches are cut */
};

/* The same with stretches of these sizes. */
bool log_scan_stretches (struct summary *summary, struct log_input *input, unsigned threads,
                         struct log_scan_sizes sizes, const struct log_scan_watch *watch,
                         GError **error);

#endif
