/* scan-log.h -- reads a log into a summary: whole buffers on all cores, odd bytes by the reader.
 */
#ifndef PROFLOG_SCAN_LOG_H
#define PROFLOG_SCAN_LOG_H

#include "decoder/mlpd/analyses/summary.h"
#include "decoder/input/log-input.h"

/* Called while the log is read, on the caller's thread.  Each may be NULL. */
struct log_scan_watch {
  void (*item) (void *data, const struct mlpd_item *item); /* headers and damage, at least */
  void (*progress) (void *data, uint64_t bytes);           /* of the log, merged so far */
  void *data;
};

/* Calls the watch's progress function, where there is one.  `watch` may be NULL. */
static inline void
log_scan_progress (const struct log_scan_watch *watch, uint64_t bytes)
{
  if (watch != NULL && watch->progress != NULL)
    watch->progress (watch->data, bytes);
}

/* Reads a log to its end; `threads` scan (0: as many as there are cores).  The summary is not
 * finished.  False with an error of the input or the reader; the events before it are in the
 * summary.  `watch` may be NULL.  The figures are the same for any number of threads. */
bool log_scan (struct summary *summary, struct log_input *input, unsigned threads,
               const struct log_scan_watch *watch, GError **error);

struct log_scan_sizes {
  size_t chunk;       /* bytes of a chunk (log-chunks.h) at most; at least CHUNK_BYTES_MIN */
  size_t read_buffer; /* that are read of it at once; at least 1 */
  size_t retained;    /* memory that scans retain for the merge, beyond which chunks are cut */
};

/* The same with chunks of these sizes. */
bool log_scan_chunks (struct summary *summary, struct log_input *input, unsigned threads,
                      struct log_scan_sizes sizes, const struct log_scan_watch *watch,
                      GError **error);

#endif
