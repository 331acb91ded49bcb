/* trace-deaths.h -- the collections that objects of a trace died in, for formats that have frees.
 */
#ifndef PROFLOG_TRACE_DEATHS_H
#define PROFLOG_TRACE_DEATHS_H

#include "decoder/exports/export-trace.h"
#include "decoder/mlpd/analyses/survival.h"
#include <proflog/mlpd-reader.h>

/* Of a kind, in one collection; most deaths are followed by one of the same. */
struct recent_deaths {
  guint collection;
  uint64_t objects;
};

struct trace_deaths {
  struct trace *trace;
  struct survival survival;
  struct id_map numbers; /* collection and kind -> number of the counts */
  GArray *counts;        /* of struct trace_death */
  GArray *recent;        /* of struct recent_deaths, by kind; not in the counts yet */
};

void trace_deaths_init (struct trace_deaths *deaths, struct trace *trace, bool is_sampled);
void trace_deaths_clear (struct trace_deaths *deaths);

/* An object was allocated, and is the latest allocation of the trace if it is selected.  Others are
 * followed, too: they end those at their addresses. */
void trace_deaths_allocate (struct trace_deaths *deaths, const struct mlpd_alloc *event,
                            bool is_selected);

/* Follows moves, collections and heap snapshots, and ignores other events. */
void trace_deaths_follow (struct trace_deaths *deaths, const struct mlpd_item *item,
                          uint64_t trace_time);

/* After the last event: hands the deaths to the format.  False without any if the log has
 * allocations, collections and no moves, so that it is not known which objects survived. */
bool trace_deaths_finish (struct trace_deaths *deaths);

#endif
