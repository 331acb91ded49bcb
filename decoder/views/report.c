/* report.c -- the sections of the report; each is in a file of its own. */
#include "decoder/views/report.h"
#include "config.h"
#include "decoder/views/report-log.h"

const struct section *const report_sections[] = {
  &section_log,       &section_damage,   &section_objects,
  &section_jit,       &section_gc,       &section_allocations,
  &section_calls,     &section_metadata, &section_exceptions,
  &section_monitors,  &section_threads,  &section_samples,
  &section_heapshots, &section_domains,  &section_contexts,
  &section_counters,  &section_stats,    NULL,
};
