/* run-merge.h -- tables of the reports of many runs, added up in groups.
 *
 * Memory is that of the rows which differ, whatever the number of runs.
 */
#ifndef PROFLOG_RUN_MERGE_H
#define PROFLOG_RUN_MERGE_H

#include "decoder/output/view.h"
#include "decoder/views/compare/run-figures.h"

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

#endif
