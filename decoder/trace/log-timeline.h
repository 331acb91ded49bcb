/* log-timeline.h -- the selected events of a log, summed up by intervals of time. */
#ifndef PROFLOG_LOG_TIMELINE_H
#define PROFLOG_LOG_TIMELINE_H

#include "decoder/log/log-command.h"
#include "decoder/log/log-map.h"
#include "decoder/core/timeline.h"
#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/mlpd/analyses/summary.h"

/* The intervals of a timeline of a log of Mono: of the length `width`; of 0: of one with which
 * there are at most `bins`.  `has_stacks`: calls are distinguished by their stacks; else they are
 * only counted. */
struct timeline_request {
  uint64_t width;
  guint bins;
  bool has_stacks;
  bool has_all_buffers;
};

/* The bins for the scan that makes the summary of a log of Mono (scan_options), so that its
 * timeline needs no other one of all events.  False if that is not known before, as of a pipe. */
bool log_timeline_foresee (struct log_command *command, const char *path,
                           const struct timeline_request *request, struct scan_bin_spec *spec);

/* The summary is that of the log, which is read again: a pipe has no timeline.  Its sums by bins
 * are taken.  (transfer full; NULL: none) */
struct timeline *log_timeline_of_mono (struct log_command *command, const char *path,
                                       struct summary *summary,
                                       const struct timeline_request *request);

/* Likewise of an eventlog, whose calls have no stacks.  `map` has the facts of the log (transfer
 * full): then the threads of the summary are followed, too (log_command_begin_eventlog); NULL:
 * nothing is. */
struct timeline *log_timeline_of_eventlog (struct log_command *command, const char *path,
                                           struct ghc_summary *summary, struct log_map *map,
                                           uint64_t width, guint bins);

#endif
