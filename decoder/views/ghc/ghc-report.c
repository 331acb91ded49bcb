/* ghc-report.c -- which sections the reports of eventlogs have. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"

const struct section *const ghc_report_sections[] = {
#define SECTION(name, report, info, stats) SECTION_IF_##report (ghc_section_##name)
#include "decoder/views/ghc/ghc-sections.def"
  NULL,
};

const struct section *const ghc_info_sections[] = {
#define SECTION(name, report, info, stats) SECTION_IF_##info (ghc_section_##name)
#include "decoder/views/ghc/ghc-sections.def"
  NULL,
};

const struct section *const ghc_stats_sections[] = {
#define SECTION(name, report, info, stats) SECTION_IF_##stats (ghc_section_##name)
#include "decoder/views/ghc/ghc-sections.def"
  NULL,
};
