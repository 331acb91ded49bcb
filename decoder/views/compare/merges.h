/* merges.h -- sums over the reports of many logs. */
#ifndef PROFLOG_MERGES_H
#define PROFLOG_MERGES_H

#include "decoder/output/view.h"
#include "decoder/views/compare/runs.h"

/* ---- tables of the reports of many runs, added up in groups ---- */

/* Memory is that of the rows which differ, whatever the number of runs. */

struct run_merge;

/* Of the tables of these sections (of const char *, their keys); NULL: of those that are usual. */
struct run_merge *run_merge_new (const GPtrArray *sections);
void run_merge_free (struct run_merge *merge);

/* Adds the tables of a run to those of a group. */
void run_merge_add (struct run_merge *merge, guint group, const struct run_figures *run);

/* Has the section tables or figures that can be added up? */
bool run_merge_has (const char *section);

/* The keys of sections that have, and of those that are usual (of const char *, transfer
 * container). */
GPtrArray *run_merge_sections (bool usual_only);

/* Writes the tables.  `group_key` and `group_label` are of the column with the names of the groups
 * (of const char *); NULL: there is one group, and no such column. */
void run_merge_write (struct run_merge *merge, struct emitter *emitter, const struct view *view,
                      const char *group_key, const char *group_label, const GPtrArray *groups);

/* The shapes of the tables (of const struct table_shape *), for table_check_keys (transfer
 * container). */
GPtrArray *run_merge_shapes (const struct run_merge *merge, const char *group_key);

/* ---- sums of many logs by common properties ---- */

/* Runs are added one by one and not retained: memory is that of the sums. */

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
