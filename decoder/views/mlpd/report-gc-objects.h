/* report-gc-objects.h -- parts of the section "gc": handles, finalizers, roots; roots of
 * heap snapshots.
 */
#ifndef PROFLOG_REPORT_GC_OBJECTS_H
#define PROFLOG_REPORT_GC_OBJECTS_H

#include "decoder/views/section.h"

extern const struct table_shape gc_handles_shape;
extern const struct table_shape gc_finalizers_shape;
extern const struct table_shape gc_roots_shape;
extern const struct table_shape gc_shot_roots_shape;

/* How often handles were created or destroyed. */
uint64_t gc_count_handles (const struct handles *handles);

/* The table "handles", with --traces the sites in its rows; the object "finalizers"; the table
 * "roots". */
void gc_put_handles (const struct report *report);
void gc_put_finalizers (const struct report *report);
void gc_put_roots (const struct report *report);

/* The table "root_sources" of a heap snapshot; people see it with --verbose. */
void gc_put_shot_roots (const struct report *report, const struct root_sums *sums);

/* What a root belongs to: "static", "unknown" ...  Static. */
const char *gc_root_source_name (guint source);

#endif
