/* log-summary.h -- reads the selected part of a log into a summary. */
#ifndef PROFLOG_LOG_SUMMARY_H
#define PROFLOG_LOG_SUMMARY_H

#include "decoder/log/log-command.h"
#include "decoder/log/log-map.h"
#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/mlpd/analyses/summary.h"

/* Reads a Mono log into a summary, on all cores.  The summary is not finished.  `objects` is its
 * option of this name.  Returns the exit status. */
int log_command_summarize (struct log_command *command, const char *path, struct summary *summary,
                           struct object_filter *objects);

/* The same into a new summary with these options, which is finished: damage that is known only then
 * is reported, too.  The summary is to be cleared in any case. */
int log_command_read_summary (struct log_command *command, const char *path,
                              const struct scan_options *options, struct object_filter *objects,
                              struct summary *summary);

/* The same for an eventlog; `features`: see ghc_summary_init.  The summary is initialized here, and
 * is to be cleared in any case. */
int log_command_summarize_eventlog (struct log_command *command, const char *path,
                                    struct ghc_summary *summary, unsigned features);

/* The same for a caller that reads the log in order of time next, if that is possible.  Then *map
 * has its facts (transfer full), and the summary is not finished: the caller gives
 * ghc_summary_ordered the events in order, and calls log_command_finish_eventlog.  Else map->labels
 * is NULL. */
int log_command_begin_eventlog (struct log_command *command, const char *path,
                                struct ghc_summary *summary, unsigned features,
                                struct log_map *map);
void log_command_finish_eventlog (struct log_command *command, const char *path,
                                  struct ghc_summary *summary, unsigned features, int status);

#endif
