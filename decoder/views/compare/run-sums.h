/* run-sums.h -- the figures of several logs, summed up by what these have in common. */
#ifndef PROFLOG_RUN_SUMS_H
#define PROFLOG_RUN_SUMS_H

#include "decoder/views/compare/run-figures.h"

#define RUN_SUMS_SCHEMA "proflog.sums/1"

/* The sections of reports that the sums are of, for sections_parse_both. */
#define RUN_SUMS_SECTIONS "log,gc,heap,allocations,exceptions,monitors,waits"

extern const struct table_shape run_sums_shape;

/* Writes a row for each log, machine, process or version, as the view requests: the sums of its
 * runs (of struct run_figures). */
void run_sums_write (struct emitter *emitter, const GPtrArray *runs, const struct view *view);

#endif
