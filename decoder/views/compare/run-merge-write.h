/* run-merge-write.h -- writes tables that were added up. */
#ifndef PROFLOG_RUN_MERGE_WRITE_H
#define PROFLOG_RUN_MERGE_WRITE_H

#include "decoder/output/view.h"
#include "decoder/views/compare/run-merge.h"

/* Writes the tables.  `group_key` and `group_label` are of the column with the names of the groups
 * (of const char *); NULL: there is one group, and no such column. */
void run_merge_write (struct run_merge *merge, struct emitter *emitter, const struct view *view,
                      const char *group_key, const char *group_label, const GPtrArray *groups);

/* The shapes of the tables (of const struct table_shape *), for table_check_keys (transfer
 * container). */
GPtrArray *run_merge_shapes (const struct run_merge *merge, const char *group_key);

#endif
