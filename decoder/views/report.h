/* report.h -- the summary of a log, section by section. */
#ifndef PROFLOG_REPORT_H
#define PROFLOG_REPORT_H

#include "decoder/views/section.h"

#define REPORT_SCHEMA "proflog.report/1"

/* All sections, up to NULL, in the order of the report.  Those that are not here are in
 * report-log.h. */
extern const struct section *const report_sections[];

extern const struct section section_jit;
extern const struct section section_gc;
extern const struct section section_allocations;
extern const struct section section_calls;
extern const struct section section_metadata;
extern const struct section section_exceptions;
extern const struct section section_monitors;
extern const struct section section_domains;
extern const struct section section_contexts;
extern const struct section section_samples;
extern const struct section section_heapshots;
extern const struct section section_counters;
extern const struct section section_objects; /* that are asked for */

#endif
