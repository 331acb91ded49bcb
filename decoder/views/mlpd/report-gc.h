/* report-gc.h -- the roots of the section "gc", for the sections of heap snapshots and objects. */
#ifndef PROFLOG_REPORT_GC_H
#define PROFLOG_REPORT_GC_H

#include "decoder/mlpd/analyses/roots.h"
#include "decoder/views/section.h"

extern const struct table_shape section_shot_roots_shape;

/* The table "root_sources" of a heap snapshot; people see it with --verbose. */
void section_put_shot_roots (const struct report *report, const struct root_sums *sums);

/* What a root belongs to: "static", "unknown" ...  Static. */
const char *section_root_source_name (guint source);

#endif
