/* ghc-report.h -- the sections of eventlogs: ghc-sections.def lists them; ghc-report-NAME.c and
 * ghc-stats.c have them.
 */
#ifndef PROFLOG_GHC_REPORT_H
#define PROFLOG_GHC_REPORT_H

#include "decoder/ghc/analyses/ghc-figures.h"
#include "decoder/views/section.h"

#define STATS_SCHEMA "proflog.stats/1"

/* The sections of `proflog report`, `info` and `stats`, up to NULL. */
extern const struct section *const ghc_report_sections[];
extern const struct section *const ghc_info_sections[];
extern const struct section *const ghc_stats_sections[];

#define SECTION(name, report, info, stats) extern const struct section ghc_section_##name;
#include "decoder/views/ghc/ghc-sections.def"

#endif
