/* log-timeline.h -- the selected events of a log, summed up by intervals of time. */
#ifndef PROFLOG_LOG_TIMELINE_H
#define PROFLOG_LOG_TIMELINE_H

#include "decoder/log/log-command.h"
#include "decoder/core/timeline.h"
#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/mlpd/analyses/summary.h"

/* `has_stacks`: calls are distinguished by their stacks; else they are only counted.  Intervals of
 * the length `width`; of 0: of one with which there are at most `bins`.  The summary
 * is that of the log, which is read again: a pipe has no timeline.  (transfer full; NULL: none) */
struct timeline *log_timeline_of_mono (struct log_command *command, const char *path,
                                       const struct summary *summary, bool has_stacks,
                                       uint64_t width, guint bins);
struct timeline *log_timeline_of_eventlog (struct log_command *command, const char *path,
                                           const struct ghc_summary *summary, uint64_t width,
                                           guint bins);

#endif
