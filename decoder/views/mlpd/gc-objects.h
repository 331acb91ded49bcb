/* gc-objects.h -- parts of the section "gc": handles, finalizers, roots; roots of
 * heap snapshots.
 */
#ifndef PROFLOG_GC_OBJECTS_H
#define PROFLOG_GC_OBJECTS_H

#include "decoder/views/section.h"

extern const struct table_shape gc_objects_handles_shape;
extern const struct table_shape gc_objects_finalizers_shape;
extern const struct table_shape gc_objects_roots_shape;
extern const struct table_shape gc_objects_shot_roots_shape;

/* How often handles were created or destroyed. */
uint64_t gc_objects_count_handles (const struct handles *handles);

/* The table "handles", with --traces the sites in its rows; the object "finalizers"; the table
 * "roots". */
void gc_objects_put_handles (const struct report *report);
void gc_objects_put_finalizers (const struct report *report);
void gc_objects_put_roots (const struct report *report);

/* The table "root_sources" of a heap snapshot; people see it with --verbose. */
void gc_objects_put_shot_roots (const struct report *report, const struct root_sums *sums);

/* What a root belongs to: "static", "unknown" ...  Static. */
const char *gc_objects_root_source_name (guint source);

#endif
