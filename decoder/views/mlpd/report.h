/* report.h -- the sections of Mono logs: sections.def lists them, and report-NAME.c has them. */
#ifndef PROFLOG_REPORT_H
#define PROFLOG_REPORT_H

#include "decoder/views/section.h"

#define REPORT_SCHEMA "proflog.report/1"
#define INFO_SCHEMA "proflog.info/1"

/* The sections of `proflog report`, `info` and `stats`, up to NULL. */
extern const struct section *const report_sections[];
extern const struct section *const info_sections[];
extern const struct section *const stats_sections[];

#define SECTION(name, report, info, stats) extern const struct section section_##name;
#include "decoder/views/mlpd/sections.def"

#endif
