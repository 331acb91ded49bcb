/* report-gc-objects.h -- parts of the section "gc": handles, finalizers, roots. */
#ifndef PROFLOG_REPORT_GC_OBJECTS_H
#define PROFLOG_REPORT_GC_OBJECTS_H

#include "decoder/views/section.h"

extern const struct table_shape gc_handles_shape;
extern const struct table_shape gc_finalizers_shape;
extern const struct table_shape gc_roots_shape;

/* The table "handles", with --traces the sites in its rows; the object "finalizers"; the table
 * "roots". */
void gc_put_handles (const struct report *report);
void gc_put_finalizers (const struct report *report);
void gc_put_roots (const struct report *report);

#endif
