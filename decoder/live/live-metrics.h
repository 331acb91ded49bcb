/* live-metrics.h -- figures as metrics, for Prometheus. */
#ifndef PROFLOG_LIVE_METRICS_H
#define PROFLOG_LIVE_METRICS_H

#include "decoder/live/live-figures.h"

/* The two ways to write metrics that Prometheus reads. */
enum live_metrics { LIVE_METRICS_TEXT, LIVE_METRICS_OPEN };

/* Appends the figures as metrics.  The source's name is a label: of one source of its format only,
 * of several of each value; of a process the label is `program`, with `pid`.  What a log lacks is
 * left out, and of processes that are over what is no sum. */
void live_metrics_append (const struct live_named *sources, guint n_sources,
                          enum live_metrics metrics, GString *out);

#endif
