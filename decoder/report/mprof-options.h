/* mprof-options.h -- the options of mprof-report that have other names here, for proflog report.
 * They are not in the help: what a script has for mprof-report goes on. */
#ifndef PROFLOG_MPROF_OPTIONS_H
#define PROFLOG_MPROF_OPTIONS_H

#include "decoder/report/view-options.h"

struct mprof_options {
  const char *method_sort, *alloc_sort, *counters_sort; /* columns; NULL: not given */
};

/* Tables of options: those in struct log_command, and those in struct mprof_options. */
extern const struct cli_option mprof_log_options[], mprof_sort_options[];

/* Adds the columns to those of --sort.  `reports` is the value of --reports: tables of other
 * sections are not sorted. */
void mprof_options_apply (const struct mprof_options *options, const char *reports,
                          struct view_options *view);

#endif
