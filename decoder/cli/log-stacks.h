/* log-stacks.h -- the stacks of a log for an export, from the trees that reports show. */
#ifndef PROFLOG_LOG_STACKS_H
#define PROFLOG_LOG_STACKS_H

#include "decoder/exports/export-stacks.h"
#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/output/view.h"

/* Adds the stacks of a finished summary: of its samples, or with self times of its calls.  The
 * weights of samples are processor time where the log states it. */
void log_stacks_add (struct export_stacks *stacks, const struct summary *summary,
                     enum view_source source);

/* Adds those of the time profile of an eventlog. */
void log_stacks_add_eventlog (struct export_stacks *stacks, const struct ghc_summary *summary);

#endif
