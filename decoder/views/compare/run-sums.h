/* run-sums.h -- the figures of many logs, summed up by what these have in common.
 *
 * Runs are added one by one and not retained: memory is that of the sums.
 */
#ifndef PROFLOG_RUN_SUMS_H
#define PROFLOG_RUN_SUMS_H

#include "decoder/views/compare/run-figures.h"

#define RUN_SUMS_SCHEMA "proflog.sums/1"

/* The table of sums, as one of the names of --reports. */
#define RUN_SUMS_SECTION "sums"

/* The sections of reports that the sums are of, for sections_parse_both. */
#define RUN_SUMS_SECTIONS "log,gc,heap,allocations,exceptions,monitors,waits,metadata"

/* Which parts there are. */
struct run_sums_parts {
  bool has_sums;             /* the table of sums */
  const GPtrArray *sections; /* whose tables are added up (of const char *); NULL: the usual ones */
};

struct run_sums;

/* Sums for each log, machine, process or version, or of all, as `by` requests. */
struct run_sums *run_sums_new (enum view_by by, const struct run_sums_parts *parts);
void run_sums_free (struct run_sums *sums);

/* Adds the figures of a log. */
void run_sums_add (struct run_sums *sums, const struct run_figures *run);

/* Counts a log without figures, or one that is damaged. */
void run_sums_add_unreadable (struct run_sums *sums);
void run_sums_add_damaged (struct run_sums *sums);

/* Writes the tables, if there was a log. */
void run_sums_write (struct run_sums *sums, struct emitter *emitter, const struct view *view);

/* The shapes of the tables (transfer container), for table_check_keys. */
GPtrArray *run_sums_shapes (const struct run_sums *sums);

#endif
